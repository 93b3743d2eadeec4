import { createHash } from "node:crypto";
import type { Note, Outlet } from "./channel.ts";
import { type PowerShellParts, powerShellArguments, runPowerShell } from "./powershell.ts";
import { deliveryOf } from "./program-outlet.ts";

const name = "windows-toast";
/** PowerShell starts in 0.3 to 1 s, a cold one behind a virus scanner in many. */
const deadlineMs = 15_000;

/**
 * Text becomes a text node, so there is no XML to break out of. The application is PowerShell's own id, which is
 * registered everywhere: for an unknown one Windows shows nothing and reports success.
 */
const show = `
$app='{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]
[void][Windows.Data.Xml.Dom.XmlDocument,Windows.Data.Xml.Dom.XmlDocument,ContentType=WindowsRuntime]
$x=New-Object Windows.Data.Xml.Dom.XmlDocument
$x.LoadXml('<toast><visual><binding template="ToastGeneric"><text/><text/></binding></visual><audio silent="true"/></toast>')
$t=$x.GetElementsByTagName('text')
[void]$t.Item(0).AppendChild($x.CreateTextNode($d.title))
[void]$t.Item(1).AppendChild($x.CreateTextNode($d.body))
if($d.urgency -eq 'critical'){$x.DocumentElement.SetAttribute('duration','long')}
$n=New-Object Windows.UI.Notifications.ToastNotification $x
$n.Tag=$d.tag
$n.Group='opencode'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($n)`;

const remove = `
$app='{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]
[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($d.tag,'opencode',$app)`;

/** Old builds allow 16 characters. The same tag replaces. */
export const tagOf = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 16);

export const toastArguments = ({ key, title, body, urgency }: Note): string[] =>
  powerShellArguments(show, { title, body, urgency, tag: tagOf(key) });

export const removalArguments = (key: string): string[] => powerShellArguments(remove, { tag: tagOf(key) });

/** A Windows toast, from Windows or from inside WSL. */
export function createWindowsToast(parts: PowerShellParts): Outlet {
  const shown = new Set<string>();
  return {
    name,
    async send(note, signal) {
      shown.add(note.key); // before it is up: one that is up after its deadline can be taken back too
      const ran = await runPowerShell(parts, toastArguments(note), { deadlineMs, signal });
      if (!ran.ok && ran.error.kind === "missing") shown.delete(note.key);
      return deliveryOf(name, ran);
    },
    withdraw: async (key) =>
      shown.delete(key) && (await runPowerShell(parts, removalArguments(key), { deadlineMs })).ok,
    replaces: async (key) => shown.has(key),
    up: () => [...shown].map((key) => ({ outlet: name, key, sessionID: "", id: "" })),
    adopt(up) {
      for (const { key } of up) shown.add(key);
    },
  };
}
