import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, printed, startChild } from "../host/child.ts";

export type PrivateBus = { address: string; child: Child };

/** No service files: nothing starts behind the test's back, and a bus nobody answers on really is one. */
const configFor = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:path=${folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="reply_timeout">60000</limit></busconfig>
`;

/** A session bus of its own, listening at `<folder>/bus` as systemd's does. */
export async function startPrivateBus(folder: string, env: Record<string, string>): Promise<PrivateBus> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const config = join(folder, "session.conf");
  writeFileSync(config, configFor(folder));
  const args = ["--nofork", "--nopidfile", "--print-address=1", `--config-file=${config}`];
  const child = startChild("dbus-daemon", args, { cwd: folder, env });
  const [address] = await printed(child, /unix:\S+/);
  return { address, child };
}
