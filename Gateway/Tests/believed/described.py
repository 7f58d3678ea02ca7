"""Whether the interface that drives the store is as its description says: schemathesis makes up requests from it.

    python described.py CHAOS_GATEWAY      needs schemathesis
"""

import os
import signal
import subprocess
import sys
import tempfile
import urllib.request


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "serve", "--port", "0", "--folder", folder, "--clock", "standing", "--people",
             "100000", "--seed", "1"], stdout=subprocess.PIPE, text=True)
        base = None
        while base is None:
            line = process.stdout.readline()
            if "drive it" in line:
                base = line.split()[2].removesuffix("/store,")
        try:
            urllib.request.urlopen(urllib.request.Request(f"{base}/accounts", method="POST"))
            urllib.request.urlopen(urllib.request.Request(
                f"{base}/purchases", method="POST", data=b'{"account": 1, "productId": "pro"}'))
            checks = ("not_a_server_error,status_code_conformance,content_type_conformance,"
                      "response_schema_conformance,negative_data_rejection")
            command = os.path.join(os.path.dirname(sys.executable), "schemathesis")
            code = subprocess.run([
                command, "run", f"{base}/openapi.json", "--url", base, "--checks", checks,
                "--max-examples", "20", "--seed", "1", "--generation-database", "none",
                "--phases", "examples,coverage,fuzzing", "--no-color", "--workers", "1"],
                cwd=folder).returncode
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)
    sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1])
