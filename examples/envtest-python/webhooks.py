"""Points webhook configurations at this process, as envtest's WebhookInstallOptions does."""

import base64
import json
import ssl
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import trustme
import yaml
from kubernetes import client

INSTALL = {
    "MutatingWebhookConfiguration": "create_mutating_webhook_configuration",
    "ValidatingWebhookConfiguration": "create_validating_webhook_configuration",
}


@contextmanager
def install_webhooks(api, manifest, handlers):
    """Serves `handlers` ({path: function}) and installs the configurations of a manifest with their addresses.

    A handler gets the request of an AdmissionReview and returns the response without its uid.
    """
    authority = trustme.CA()
    server = serve(handlers, authority)
    try:
        url = f"https://127.0.0.1:{server.server_port}"
        ca_bundle = base64.b64encode(authority.cert_pem.bytes()).decode()
        for configuration in yaml.safe_load_all(manifest.read_text()):
            for webhook in configuration["webhooks"]:
                path = webhook["clientConfig"]["service"]["path"]
                webhook["clientConfig"] = {"url": url + path, "caBundle": ca_bundle}
            install = INSTALL[configuration["kind"]]
            getattr(client.AdmissionregistrationV1Api(api), install)(configuration)
        yield
    finally:
        server.shutdown()
        server.server_close()


def serve(handlers, authority):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = review.pop("request")
            response = handlers[self.path.split("?")[0]](request)
            review["response"] = {"uid": request["uid"], **response}
            body = json.dumps(review).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def patched(*operations):
    """The response that allows a request with a JSON patch."""
    patch = base64.b64encode(json.dumps(operations).encode()).decode()
    return {"allowed": True, "patchType": "JSONPatch", "patch": patch}


def denied(message):
    return {"allowed": False, "status": {"code": 403, "reason": "Forbidden", "message": message}}
