import { describe, expect, test } from "vitest";
import type { V1Answer, V1Client } from "../../../../src/server/hosts/v1/host.ts";
import { createQueries } from "../../../../src/server/hosts/v1/queries.ts";

const client = (answer: V1Answer | Error): V1Client => {
  const say = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { session: { get: say, messages: say }, postSessionIdPermissionsPermissionId: say };
};

describe("a session", () => {
  test("is told with its title, parent and folder", async () => {
    const data = { id: "S", title: "Fix login", parentID: "P", directory: "/project" };
    expect(await createQueries(client({ data })).session("S")).toEqual({
      title: "Fix login",
      parentID: "P",
      directory: "/project",
    });
  });

  test("without a parent is a root, whatever else is wrong with it", async () => {
    expect(await createQueries(client({ data: { title: 7, parentID: "" } })).session("S")).toEqual({
      title: "",
      parentID: null,
    });
  });

  test.each([{ response: { status: 404 } }, { error: { name: "NotFoundError" } }])(
    "that is gone is missing: %j",
    async (answer) => {
      expect(await createQueries(client(answer)).session("S")).toBe("missing");
    },
  );

  test.each([{}, { data: null }, { error: { name: "UnknownError" } }, new Error("no connection")])(
    "that cannot be asked for is not known: %s",
    async (answer) => {
      await expect(createQueries(client(answer)).session("S")).rejects.toThrow();
    },
  );
});

describe("messages", () => {
  test("are read", async () => {
    const data = [{ info: { role: "user" }, parts: [] }];
    expect(await createQueries(client({ data })).messages("S")).toEqual([{ role: "user", texts: [] }]);
  });

  test("that cannot be had are not known", async () => {
    await expect(createQueries(client({})).messages("S")).rejects.toThrow();
  });
});

describe("answering a permission", () => {
  test("asks the host for it", async () => {
    const asked: unknown[] = [];
    const host: V1Client = {
      postSessionIdPermissionsPermissionId: async (request) => {
        asked.push(request);
        return { data: true };
      },
    };
    await createQueries(host).answer?.("S", "per_1", "once");
    expect(asked).toEqual([{ path: { id: "S", permissionID: "per_1" }, body: { response: "once" } }]);
  });

  test("fails where the host refuses or has no way", async () => {
    await expect(createQueries(client({ error: {} })).answer?.("S", "p", "reject")).rejects.toThrow();
    await expect(createQueries({}).answer?.("S", "p", "reject")).rejects.toThrow();
  });
});

test("a host without a client is not known, and nothing is thrown", async () => {
  await expect(createQueries(undefined).session("S")).rejects.toThrow();
  await expect(createQueries({}).messages("S")).rejects.toThrow();
});
