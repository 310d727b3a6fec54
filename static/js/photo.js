// Scales down a photo before the upload: a tenth of the bytes, and no larger than the server accepts.
"use strict";

async function smaller(file, side) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const paper = canvas.getContext("2d");
  paper.imageSmoothingQuality = "high";
  paper.fillStyle = "#fff"; // the background of transparent images
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const drawn = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
  return new File([drawn], "photo.jpg", { type: "image/jpeg" });
}

document.addEventListener("change", async ({ target: input }) => {
  if (input.id !== "photo") return;
  const [file] = input.files;
  input.setCustomValidity("");
  if (!file) return;
  const made = await smaller(file, Number(input.dataset.side)).catch(() => file); // if this browser cannot read the file, the server decides
  if (input.files[0] !== file) return; // another file has been chosen in the meantime
  if (made.size < file.size) {
    const instead = new DataTransfer();
    instead.items.add(made);
    input.files = instead.files;
  }
  if (input.files[0].size > Number(input.dataset.most)) input.setCustomValidity(input.dataset.tooLarge);
});
