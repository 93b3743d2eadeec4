import { expect, test } from "vitest";
import { undoFile } from "../../../../src/server/cli/install/undo.ts";

const undone = (current: string, before: string, after: string) =>
  undoFile(current, { original: { kind: "text", text: before }, after }, () => undefined);

test.each([
  [
    "attention that the installation left on and somebody switched off since stays off",
    '{ "attention": { "enabled": false }, "plugin": ["opencode-beckon"] }',
    '{ "attention": { "enabled": true } }',
    '{ "attention": { "enabled": true }, "plugin": ["opencode-beckon"] }',
    '{ "attention": { "enabled": false } }',
  ],
  [
    "attention that the installation switched off is on again",
    '{ "attention": { "enabled": false }, "theme": "x" }',
    '{ "attention": { "enabled": true } }',
    '{ "attention": { "enabled": false } }',
    '{ "attention": { "enabled": true }, "theme": "x" }',
  ],
  [
    "a notifier that was off before the installation stays off",
    '{ "plugins": ["-opencode.notifications"], "theme": "x" }',
    '{ "plugins": ["-opencode.notifications"] }',
    '{ "plugins": ["-opencode.notifications"] }  ',
    '{ "plugins": ["-opencode.notifications"], "theme": "x" }',
  ],
  [
    "a list that was there and empty before stays, empty",
    '{ "plugin": ["opencode-beckon"], "theme": "x" }',
    '{ "plugin": [] }',
    '{ "plugin": ["opencode-beckon"] }',
    '{ "plugin": [], "theme": "x" }',
  ],
])("of a file that was changed since, only what is ours is undone: %s", (_name, current, before, after, expected) => {
  expect(undone(current, before, after)).toEqual({ ok: true, value: expected });
});
