import { describe, expect, test } from "vitest";
import { createDeciderStage } from "../../fakes/decider-stage.ts";
import { working } from "../../fakes/session-stage.ts";

const ended = { kind: "ended" } as const;

/** Sessions that end one after the other, each with its banner up. */
async function finished(...sessionIDs: string[]) {
  const stage = createDeciderStage();
  const ends = async (sessionID: string): Promise<void> => {
    stage.root(sessionID);
    stage.tell(sessionID, ...working, ended);
    await stage.wait(400);
  };
  for (const sessionID of sessionIDs) await ends(sessionID);
  const summaries = () => stage.sent.filter(({ note }) => note.key === "summary").map(({ note }) => note.body);
  return { ...stage, ends, summaries, isUp: (sessionID: string) => stage.up.has(`banner session.${sessionID}`) };
}

describe("ends that are too many to stand side by side", () => {
  test("three banners stay three", async () => {
    const { summaries, isUp } = await finished("A", "B", "C");
    expect(summaries()).toEqual([]);
    expect(["A", "B", "C"].map(isUp)).toEqual([true, true, true]);
  });

  test("with a fourth the oldest two become one, the newest two stay", async () => {
    const { summaries, isUp, news } = await finished("A", "B", "C", "D");
    expect(summaries()).toEqual(["2 sessions finished · A, B"]);
    expect(["A", "B", "C", "D"].map(isUp)).toEqual([false, false, true, true]);
    expect(news().slice(-2)).toEqual(["A done withdrawn summarised", "B done withdrawn summarised"]);
  });

  test("later ones join it, each once", async () => {
    const { summaries } = await finished("A", "B", "C", "D", "E", "F");
    expect(summaries().at(-1)).toBe("4 sessions finished · A, B, C, D");
  });

  test("a session that works again, was seen or is gone leaves it; the last one takes it along", async () => {
    const { tell, wait, updated, up } = await finished("A", "B", "C", "D");
    tell("A", ...working);
    await wait();
    expect(updated.map(({ note }) => note.body)).toEqual(["1 session finished · B"]);
    expect(up.has("banner summary")).toBe(true);
    tell("B", { kind: "viewed" });
    await wait();
    expect(up.has("banner summary")).toBe(false);
  });
});
