"""Receives the bank's webhooks. This file is part of the program under test and needs only the standard library."""

import base64
import hashlib
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def verify(secret: str, body: bytes, signature: str) -> bool:
    """Check the header sd-webhook-sha256-signature: the HMAC-SHA256 of the raw body, in hexadecimal."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def verify_standard(secret: str, body: bytes, headers, now: float | None = None) -> bool:
    """Check the three headers of Standard Webhooks. They also cover the event's id and the time of sending."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    try:
        age = (time.time() if now is None else now) - int(timestamp)
    except ValueError:
        return False
    if abs(age) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # There are several signatures while a secret is being rotated.
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


class WebhookServer(ThreadingHTTPServer):
    """Passes each event with a correct signature to `on_event(event, body, headers)`. Other requests get 401."""

    def __init__(self, on_event, address=("127.0.0.1", 0)):
        super().__init__(address, WebhookHandler)
        self.on_event = on_event
        self.secret = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class WebhookHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes of the body are signed, so check the signature before parsing them.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        signature = self.headers.get("sd-webhook-sha256-signature", "")
        if not verify(self.server.secret, body, signature):
            self.send_response(401)
        else:
            self.server.on_event(json.loads(body), body, self.headers)
            self.send_response(204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Keep the output of the tests quiet."""
