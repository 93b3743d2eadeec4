import { expect, test } from "vitest";
import { answered, formCreated, permissionAsked, questionAsked } from "../../../src/server/hosts/asks.ts";
import { createSessionStage, working } from "../../fakes/session-stage.ts";

test("an ask without an id is one of its kind in its session", () => {
  expect(permissionAsked({ permission: "bash" })).toMatchObject({ ask: { requestID: "permission", label: "bash" } });
  expect(questionAsked({ questions: [{ header: "Database" }] })).toMatchObject({ ask: { requestID: "question" } });
  expect(formCreated({ form: { title: "Questions" } })).toMatchObject({ ask: { requestID: "question" } });
  expect(permissionAsked({ id: 7 })).toMatchObject({ ask: { requestID: "permission" } });
});

test("an ask with an id keeps it", () => {
  expect(permissionAsked({ id: "per_1" })).toMatchObject({ ask: { requestID: "per_1" } });
  expect(questionAsked({ id: "que_1" })).toMatchObject({ ask: { requestID: "que_1" } });
  expect(formCreated({ form: { id: "frm_1" } })).toMatchObject({ ask: { requestID: "frm_1" } });
});

test("told once until a reply without an id comes, then again", async () => {
  const { root, tell, wait, news } = createSessionStage();
  root("S");
  tell("S", ...working, permissionAsked({}), permissionAsked({}));
  await wait(350);
  tell("S", questionAsked({}));
  await wait(350);
  tell("S", answered({}, "replied"), permissionAsked({}));
  await wait(350);
  expect(news()).toEqual([
    "S asks permission",
    "S asks question",
    "S closed permission",
    "S closed question",
    "S asks permission",
  ]);
});
