import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An authority of a test's own in that folder, and what it vouches for. `openssl` has to be there. */
export function createAuthority(folder: string) {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-days", "2", "-subj", "/CN=test");
  return {
    /** For `NODE_EXTRA_CA_CERTS`. */
    path: at("ca.pem"),
    /** `names` as in a certificate: `DNS:localhost`, `IP:127.0.0.1`. */
    certify(names: string): { key: string; cert: string } {
      writeFileSync(at("ext"), `subjectAltName=${names}\n`);
      openssl("req", "-new", ...newKey, "-keyout", at("key"), "-out", at("csr"), "-subj", "/CN=server");
      const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
      openssl("x509", "-req", "-in", at("csr"), ...authority, "-out", at("crt"), "-days", "2", "-extfile", at("ext"));
      return { key: readFileSync(at("key"), "utf8"), cert: readFileSync(at("crt"), "utf8") };
    },
  };
}
