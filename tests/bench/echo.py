"""The least a live page can do, to measure against: what one says, all hear. Nothing is stored, nothing drawn."""

import queue

import waitress
from flask import Flask, Response, request

from companion.__main__ import SERVER
from companion.live import HEARTBEAT

app = Flask(__name__)
listeners: list[queue.SimpleQueue] = []


@app.post("/say")
def say():
    """Put a text in every listener's queue."""
    for listener in list(listeners):
        listener.put(request.form["text"])
    return "said"


@app.get("/live")
def live():
    """Push each text to a listener."""
    heard: queue.SimpleQueue = queue.SimpleQueue()
    listeners.append(heard)

    def stream():
        try:
            yield ": here\n\n"
            while True:
                try:
                    yield f"event: version\ndata: {heard.get(timeout=HEARTBEAT)}\n\n"
                except queue.Empty:
                    yield ": still here\n\n"
        finally:
            listeners.remove(heard)

    return Response(stream(), mimetype="text/event-stream", headers={"Cache-Control": "no-cache"})


if __name__ == "__main__":
    server = waitress.create_server(app, host="127.0.0.1", port=0, **SERVER)
    print(f"http://127.0.0.1:{server.effective_port}", flush=True)
    server.run()
