import { expect, test } from "vitest";
import { createFreshSettings } from "../../../src/server/runtime/fresh-settings.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { settled } from "../../fakes/settled.ts";

function setUp(read = async () => {}) {
  const clock = createHandCrankedClock();
  const log: string[] = [];
  const settings = createFreshSettings({
    clock,
    async read() {
      log.push("read");
      await read();
    },
  });
  return { clock, log, settings };
}

test("whoever a timer wakes finds the files read", async () => {
  const { clock, log, settings } = setUp();
  settings.clock.after(10, () => log.push("decided"));
  clock.advance(10);
  await settled();
  expect(log).toEqual(["read", "decided"]);
});

test("a timer that is cancelled while the files are read wakes nobody", async () => {
  let done = () => {};
  const { clock, log, settings } = setUp(() => new Promise((resolve) => (done = resolve)));
  const cancel = settings.clock.after(10, () => log.push("decided"));
  clock.advance(10);
  await settled();
  cancel();
  done();
  await settled();
  expect(log).toEqual(["read"]);
});

test("timers that are due together wait for one look and keep their order", async () => {
  const { clock, log, settings } = setUp();
  for (const name of ["first", "second"]) settings.clock.after(10, () => log.push(name));
  clock.advance(10);
  await settled();
  expect(log).toEqual(["read", "first", "second"]);
});

test("a disk that does not answer holds nothing up for longer than a second", async () => {
  const { clock, log, settings } = setUp(() => new Promise(() => {}));
  settings.clock.after(10, () => log.push("decided"));
  clock.advance(10);
  await settled();
  clock.advance(999);
  await settled();
  expect(log).toEqual(["read"]);
  clock.advance(1);
  await settled();
  settings.clock.after(10, () => log.push("the next one"));
  clock.advance(1_010);
  await settled();
  expect(log).toEqual(["read", "decided", "the next one"]); // and no second question waits behind the first
});

test("a file that cannot be read keeps nobody from deciding", async () => {
  const { clock, log, settings } = setUp(() => Promise.reject(new Error("a bug")));
  settings.clock.after(10, () => log.push("decided"));
  clock.advance(10);
  await settled();
  expect(log).toEqual(["read", "decided"]);
});

test("an answer of the host is handed on after a look, a refusal too", async () => {
  const { log, settings } = setUp();
  const host = settings.host({
    session: () => Promise.reject(new Error("gone")),
    messages: async () => [],
    answer: async () => {},
  });
  expect(await host.messages("ses_a")).toEqual([]);
  await expect(host.session("ses_a")).rejects.toThrow("gone");
  expect(log).toEqual(["read", "read"]);
  expect(host.answer).toBeDefined();
});
