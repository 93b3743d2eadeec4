import { describe, expect, test } from "vitest";
import { createV1Host } from "../../../src/tui/hosts/v1.ts";
import type { V1Api, V1Command } from "../../../src/tui/hosts/v1-api.ts";
import { createFakeRenderer } from "./fake-renderer.ts";

const shows = (name: string, sessionID?: unknown): V1Api => ({ route: { current: { name, params: { sessionID } } } });

describe("what opencode 1.18 shows", () => {
  test.each<[string, V1Api, object]>([
    ["the start screen", shows("home"), { type: "home" }],
    [
      "a session, which is its own root",
      { ...shows("session", "ses_a"), state: { session: { get: () => ({}) } } },
      { type: "session", sessionID: "ses_a", rootID: "ses_a" },
    ],
    [
      "a session whose root nobody knows before it is loaded",
      shows("session", "ses_a"),
      { type: "session", sessionID: "ses_a", rootID: undefined },
    ],
    ["no session yet while one is being opened", shows("session", "dummy"), { type: "other" }],
    ["a plugin's own screen", shows("my-plugin"), { type: "other" }],
    ["nothing it tells of", {}, { type: "other" }],
  ])("is %s", (_what, api, view) => {
    expect(createV1Host(api).view()).toEqual(view);
  });

  test("is a child with its root, as far as the terminal knows the parents", () => {
    const parents: Record<string, string | undefined> = { ses_c: "ses_b", ses_b: "ses_a", ses_a: undefined };
    const get = (id: string) => ({ parentID: parents[id] });
    const host = createV1Host({ ...shows("session", "ses_c"), state: { session: { get } } });
    expect(host.view()).toMatchObject({ sessionID: "ses_c", rootID: "ses_a" });
  });

  test("has no root where the host has not loaded some parent yet: half a way up is none", () => {
    const get = (id: string) => (id === "ses_c" ? { parentID: "ses_b" } : undefined);
    const host = createV1Host({ ...shows("session", "ses_c"), state: { session: { get } } });
    expect(host.view()).toEqual({ type: "session", sessionID: "ses_c", rootID: undefined });
  });

  test("has no root where parents go round in circles, and no view where the host throws", () => {
    const circle = { session: { get: (id: string) => ({ parentID: id === "ses_a" ? "ses_b" : "ses_a" }) } };
    expect(createV1Host({ ...shows("session", "ses_a"), state: circle }).view()).toMatchObject({ rootID: undefined });
    const broken: V1Api = {
      get route(): never {
        throw new Error("no");
      },
    };
    expect(createV1Host(broken).view()).toEqual({ type: "other" });
  });
});

describe("opencode 1.18's terminal", () => {
  test("is written to by its renderer, and not while suspended", () => {
    const { renderer, written } = createFakeRenderer();
    const { screen } = createV1Host({ renderer });
    screen.write("x");
    renderer.suspend();
    screen.write("y");
    expect(screen.notify("body", "title")).toBe(false);
    renderer.resume();
    expect(screen.notify("body", "title")).toBe(true);
    expect(written).toEqual(["x", "title: body"]);
  });

  test("offers our commands in the palette and behind a slash, and takes them back", () => {
    const layers: (readonly V1Command[])[] = [];
    let ended = 0;
    const host = createV1Host({
      keymap: {
        registerLayer({ commands }) {
          layers.push(commands);
          return () => {
            ended += 1;
          };
        },
      },
    });
    let ran = 0;
    const end = host.addCommands([
      {
        name: "beckon.x",
        slash: "beckon-x",
        title: "X",
        description: "Does x",
        run: () => {
          ran += 1;
        },
      },
    ]);
    expect(layers[0]?.[0]).toMatchObject({
      namespace: "palette",
      name: "beckon.x",
      slashName: "beckon-x",
      desc: "Does x",
    });
    layers[0]?.[0]?.run();
    end();
    expect([ran, ended]).toEqual([1, 1]);
  });

  test("shows a text and lets choose by the host's own dialogs", () => {
    const did: unknown[] = [];
    const chosen: number[] = [];
    const host = createV1Host({
      ui: {
        toast: (toast) => did.push(toast),
        dialog: { replace: (render) => render(), clear: () => did.push("clear") },
        DialogAlert: (props) => did.push(props),
        DialogSelect: ({ title, options, onSelect }) => {
          did.push(title);
          onSelect({ value: options[1]?.value });
        },
      },
    });
    host.show("Title", ["one", "two"]);
    host.choose(
      "Which",
      [
        { title: "a", value: 1 },
        { title: "b", value: 2 },
      ],
      (value) => chosen.push(value),
    );
    host.toast("text", "Title");
    expect(did).toMatchObject([
      { title: "Title", message: "one\ntwo" },
      "Which",
      "clear",
      { message: "text", title: "Title" },
    ]);
    expect(chosen).toEqual([2]);
  });

  test("lacking everything, takes every wish without a complaint", () => {
    const host = createV1Host({});
    host.navigate("ses_a");
    host.toast("x");
    host.show("x", []);
    host.choose("x", [], () => {});
    host.addCommands([])();
    host.listen(() => {})();
    expect(host.screen.hostReportsFocus()).toBe(false);
  });
});
