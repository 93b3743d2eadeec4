import { describe, expect, test } from "vitest";
import { createV2Host } from "../../../src/tui/hosts/v2.ts";
import type { V2Command, V2Context } from "../../../src/tui/hosts/v2-context.ts";

const shows = (route: { type?: string; sessionID?: unknown }): V2Context => ({
  ui: { router: { current: () => route } },
});

describe("what opencode 2 shows", () => {
  test.each<[string, V2Context, object]>([
    ["the start screen", shows({ type: "home" }), { type: "home" }],
    [
      "a session",
      shows({ type: "session", sessionID: "ses_a" }),
      { type: "session", sessionID: "ses_a", rootID: undefined },
    ],
    ["no session yet while one is being made", shows({ type: "session", sessionID: "dummy" }), { type: "other" }],
    ["a plugin's own screen", shows({ type: "plugin" }), { type: "other" }],
    ["nothing it tells of", {}, { type: "other" }],
  ])("is %s", (_what, context, view) => {
    expect(createV2Host(context).view()).toEqual(view);
  });

  test("is a child with its root", () => {
    const data = { session: { root: (id: string) => (id === "ses_c" ? "ses_a" : id) } };
    const host = createV2Host({ ...shows({ type: "session", sessionID: "ses_c" }), data });
    expect(host.view()).toMatchObject({ sessionID: "ses_c", rootID: "ses_a" });
  });
});

describe("plugin calls of opencode 2", () => {
  const report = {
    viewer: "v",
    name: "n",
    seq: 1,
    report: { focus: "focused" as const, view: { type: "home" as const }, idleMs: 0 },
  };

  function setUp(
    more: Partial<V2Context> = {},
    answer: () => Promise<unknown> = async () => ({ ok: true, relay: "r" }),
  ) {
    const called: unknown[] = [];
    let wish: (event: unknown) => void = () => {};
    let listening = true;
    const host = createV2Host({
      client: {
        rpc: () => ({
          report(input, options) {
            called.push([input, options]);
            return answer();
          },
          events: {
            on(_name, listener) {
              wish = listener;
              return () => {
                listening = false;
              };
            },
          },
        }),
      },
      ...more,
    });
    return { host, called, wished: (event: unknown) => wish(event), isListening: () => listening };
  }

  test("go to the place of the session on screen, by its own words", async () => {
    const { host, called } = setUp({
      ...shows({ type: "session", sessionID: "ses_a" }),
      location: { directory: "/elsewhere" },
      data: { session: { get: () => ({ location: { directory: "/project", workspaceID: "w" } }) } },
    });
    expect(await host.calls?.report(report)).toEqual({ ok: true, relay: "r" });
    expect(called).toEqual([[report, { location: { directory: "/project", workspaceID: "w" } }]]);
  });

  test("go to the terminal's own place, else to the default one, else nowhere in particular", async () => {
    const own = setUp({ location: { directory: "/own" } });
    await own.host.calls?.report(report);
    expect(own.called[0]).toEqual([report, { location: { directory: "/own" } }]);
    const fallback = setUp({ data: { location: { default: () => ({ directory: "/default" }) } } });
    await fallback.host.calls?.report(report);
    expect(fallback.called[0]).toEqual([report, { location: { directory: "/default" } }]);
    const nowhere = setUp();
    await nowhere.host.calls?.report(report);
    expect(nowhere.called[0]).toEqual([report, {}]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["refuses", () => Promise.reject({ type: "rpc.unavailable", message: "no" })],
    ["answers nonsense", async () => "ok"],
    [
      "breaks",
      () => {
        throw new Error("no");
      },
    ],
  ])("are without an answer when the host %s", async (_what, answer) => {
    expect(await setUp({}, answer).host.calls?.report(report)).toBeUndefined();
  });

  test("bring wishes for this terminal, and none for others", () => {
    const { host, wished, isListening } = setUp();
    const frames: string[] = [];
    const end = host.calls?.onWish("v", (frame) => frames.push(frame));
    const frame = { type: "navigate", sessionID: "ses_a" };
    wished({ type: "rpc.beckon.wish", data: { viewer: "v", frame } });
    wished({ viewer: "v", frame });
    wished({ data: { viewer: "somebody else", frame } });
    wished(undefined);
    expect(frames).toEqual([JSON.stringify(frame), JSON.stringify(frame)]);
    end?.();
    expect(isListening()).toBe(false);
  });
});

describe("opencode 2's terminal", () => {
  test("takes commands from inside a slot that draws nothing", () => {
    let render: (() => unknown) | undefined;
    const layers: (readonly V2Command[])[] = [];
    const host = createV2Host({
      ui: {
        slot(slot) {
          render = slot.render;
        },
      },
      keymap: { layer: (make) => layers.push(make().commands) },
    });
    host.addCommands([{ name: "beckon.x", slash: "beckon-x", title: "X", description: "", run: () => {} }]);
    expect(layers).toEqual([]);
    expect(render?.()).toBeNull();
    expect(layers[0]?.[0]).toMatchObject({ id: "beckon.x", palette: true, slash: { name: "beckon-x" } });
  });

  test("survives a host that allows none of it", () => {
    const host = createV2Host({
      ui: {
        slot() {
          throw new Error("Keymap.Provider is missing");
        },
      },
      client: {
        rpc() {
          throw new Error("no");
        },
      },
    });
    host.addCommands([])();
    host.show("x", ["y"]);
    host.navigate("ses_a");
    expect(host.screen.isSuspended()).toBe(false);
  });
});
