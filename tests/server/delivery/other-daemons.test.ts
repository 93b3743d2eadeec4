import { describe, expect, test } from "vitest";
import { sessionBusPaths } from "../../../src/server/delivery/bus-address.ts";
import { createDbusBanner } from "../../../src/server/delivery/dbus-banner.ts";
import { openBus } from "../../../src/server/delivery/open-bus.ts";
import { type Clock, systemClock } from "../../../src/shared/clock.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { daemonPrograms } from "../../rig/desktop/daemon.ts";
import { startDesktop } from "../../rig/desktop/desktop.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { needs } from "../../rig/needs.ts";
import { noteOf } from "./note.ts";

const never = new AbortController().signal;
const plain = (markup: string) => markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const bannerOn = (env: Record<string, string>, clock: Clock = patientClock) =>
  createDbusBanner({ openBus, paths: sessionBusPaths(env), clock });

const daemons = [
  { daemon: "notification-daemon", playsSounds: true },
  { daemon: "xfce4-notifyd", playsSounds: false },
] as const;

for (const { daemon, playsSounds } of daemons) {
  needs(
    "dbus-daemon",
    "Xvfb",
    daemonPrograms[daemon],
  )(`a banner by ${daemon}`, () => {
    outletContract({
      name: `dbus with ${daemon}`,
      texts: ({ title, body }) => [title, body],
      takesBack: "also the next one",
      async works() {
        const desktop = await startDesktop({ daemon });
        return {
          outlet: bannerOn(desktop.env),
          next: () => bannerOn(desktop.env),
          received: (count) =>
            desktop.until(`${count} notes to be accepted`, (all) => {
              const accepted = all.filter(({ id }) => id !== undefined);
              return accepted.length >= count ? accepted.map(({ title, body }) => [title, plain(body)]) : undefined;
            }),
          close: () => desktop.close(),
        };
      },
      fails: {
        async timeout() {
          const desktop = await startDesktop({ daemon });
          desktop.daemon.signal("SIGSTOP");
          return { outlet: bannerOn(desktop.env, systemClock), close: () => desktop.close() };
        },
      },
    });

    describe("with a person in front of it", () => {
      test("is replaced, taken back, and shown again by the next daemon process", async () => {
        await withDesktop({ daemon }, async (desktop) => {
          const outlet = bannerOn(desktop.env);
          await outlet.send(noteOf({ body: "one" }), never);
          await outlet.send(noteOf({ body: "two" }), never);
          await desktop.settled();
          const [first, second] = desktop.banners();
          expect(second?.replaces).toBe(first?.id);
          await outlet.withdraw?.("ses_S");
          expect(await desktop.until("it to be closed", (all) => all[1]?.closed)).toMatchObject({ by: "call" });
          desktop.daemon.signal("SIGKILL");
          await desktop.daemon.end();
          expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
          await desktop.daemon.restart();
          expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: true });
          await outlet.close?.();
        });
      });

      test(`is ${playsSounds ? "silenced, because it would sound by itself" : "not silenced: it makes no sound"}`, async () => {
        await withDesktop({ daemon }, async (desktop) => {
          const outlet = bannerOn(desktop.env);
          await outlet.send(noteOf({ actions: [{ key: "default", label: "Open" }] }), never);
          await desktop.settled();
          expect("suppress-sound" in (desktop.banners()[0]?.hints ?? {})).toBe(playsSounds);
          expect(desktop.banners()[0]?.actions).toEqual([{ key: "default", label: "Open" }]);
          await outlet.close?.();
        });
      });
    });
  });
}
