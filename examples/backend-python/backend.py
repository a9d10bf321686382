"""A backend behind Doorward, on Python 3.11 or newer with one dependency: pip install cryptography.

It believes nobody but the gateway: each request must carry svc-auth-assertion, a JWT (ES256) signed for this share and
no older than a few minutes. A share with custom hosts has an address at each of them: name them all, with spaces between.

    DOORWARD_LOGIN_URL=https://login.example.com DOORWARD_SHARE_URL=https://app.share.example.com python3 backend.py
"""

import base64
import http.client
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

LEEWAY_SECONDS = 5  # clocks of two machines differ a little
READ_AGAIN_SECONDS = 10


class Verifier:
    """Answers who is asking: the claims of a valid assertion, else None. Raises OSError or ValueError without keys."""

    def __init__(self, login_url, share_urls):
        self.issuer = login_url.rstrip("/")
        self.audiences = {url.rstrip("/") for url in share_urls}
        self.lock = threading.Lock()
        self.keys = {}
        self.read_at = float("-inf")

    def verify(self, assertions):
        if len(assertions) != 1 or assertions[0].count(".") != 2:
            return None
        head, body, signature = assertions[0].split(".")
        try:
            header, raw = json.loads(decode(head)), decode(signature)
        except ValueError:
            return None
        # This service chooses the algorithm, not the sender.
        if not isinstance(header, dict) or header.get("alg") != "ES256" or len(raw) != 64:
            return None
        key = self.find(header.get("kid"))
        if key is None:
            return None
        der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        try:
            key.verify(der, f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
        except InvalidSignature:
            return None
        claims = json.loads(decode(body))
        audience = str(claims.get("aud")).rstrip("/")
        fits = str(claims.get("iss")).rstrip("/") == self.issuer and audience in self.audiences
        return claims if fits and claims.get("exp", 0) > time.time() - LEEWAY_SECONDS else None

    def find(self, kid):
        with self.lock:
            if kid not in self.keys and time.monotonic() - self.read_at > READ_AGAIN_SECONDS:
                self.keys = read_keys(self.issuer)
                self.read_at = time.monotonic()
            return self.keys.get(kid)


def read_keys(issuer):
    url = urlsplit(issuer)
    connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    # Names under localhost are this machine (RFC 6761). Only the quick start needs that.
    host = "127.0.0.1" if url.hostname.endswith(".localhost") else url.hostname
    connection = connect(host, url.port, timeout=5)
    try:
        connection.request("GET", "/.well-known/jwks.json", headers={"Host": url.netloc})
        response = connection.getresponse()
        if response.status != 200:
            raise OSError(f"Cannot read the keys: status {response.status}")
        keys = json.loads(response.read(100_000))["keys"]
    finally:
        connection.close()
    return {key["kid"]: public_key(key) for key in keys if key.get("kty") == "EC" and key.get("crv") == "P-256"}


def public_key(jwk):
    x, y = (int.from_bytes(decode(jwk[part])) for part in "xy")
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def serve(verifier, host, port):
    class Hello(BaseHTTPRequestHandler):
        def do_GET(self):
            try:
                claims = verifier.verify(self.headers.get_all("svc-auth-assertion") or [])
            except (OSError, ValueError, KeyError) as error:
                # The keys cannot be read. If in doubt, refuse.
                print(error, file=sys.stderr)
                return self.say(503, "Cannot check who you are at the moment.\n")
            if claims is None:
                return self.say(401, "This backend answers only through its gateway.\n")
            return self.say(200, f"Hello {claims['email']}, logged in at {claims['provider']}.\n")

        def say(self, status, text):
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer((host, port), Hello)
    print(f"Listening on http://{host}:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    try:
        wanted = Verifier(os.environ["DOORWARD_LOGIN_URL"], os.environ["DOORWARD_SHARE_URL"].split())
    except KeyError:
        sys.exit("Set DOORWARD_LOGIN_URL and DOORWARD_SHARE_URL; see the head of this file.")
    serve(wanted, os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000")))
