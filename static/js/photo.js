// Scales down a photo before the upload: a tenth of the bytes, and no larger than the server accepts.
"use strict";

async function resize(file, maxSide) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff"; // the background of transparent images
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return new File([blob], "photo.jpg", { type: "image/jpeg" });
}

document.addEventListener("change", async ({ target: input }) => {
  if (input.id !== "photo") return;
  const [file] = input.files;
  input.setCustomValidity("");
  if (!file) return;
  const resized = await resize(file, Number(input.dataset.maxSide)).catch(() => file); // if this browser cannot read the file, the server decides
  if (input.files[0] !== file) return; // another file has been chosen in the meantime
  if (resized.size < file.size) {
    const transfer = new DataTransfer();
    transfer.items.add(resized);
    input.files = transfer.files;
  }
  if (input.files[0].size > Number(input.dataset.maxBytes)) input.setCustomValidity(input.dataset.tooLarge);
});
