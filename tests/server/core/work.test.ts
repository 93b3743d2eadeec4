import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "../../../src/server/core/work.ts";

test.each([
  "bash",
  "edit",
  "write",
  "read",
  "glob",
  "grep",
  "webfetch",
  "execute",
  "mcp_server_tool",
  "unknown",
  "beckon",
])("%s is real work", (tool) => {
  expect(classify(tool)).toBe("real");
});

test.each(["task", "agent", "subagent"])("%s only dispatches", (tool) => {
  expect(classify(tool)).toBe("dispatched");
});

test.each([
  "skill",
  "todowrite",
  "todoread",
  "question",
  "invalid",
  "beckon_notify_user",
  "beckon_status",
  "opencode-beckon_beckon_status",
])("%s is bookkeeping", (tool) => {
  expect(classify(tool)).toBe("bookkeeping");
});

describe("code mode", () => {
  const execute = (code: unknown) => classify("execute", { code });

  test.each([
    ["await tools.beckon_notify_user({ message: 'done' })"],
    ["const shown = await tools.beckon_status({});\nreturn shown"],
    ["if (true) { await tools.beckon_notify_user({}) }"],
    ["return tools['beckon_status']({})"],
    ['tools["beckon_status"] ({})'],
    [`tools.beckon_notify_user({ message: \`built (twice) in \${seconds} s\` })`],
    ["// tools.bash({})\nawait tools.beckon_status({})"],
    ["/* don't tools.bash({}) */ await tools.beckon_status({})"],
    ['tools.beckon_notify_user({ message: "say bash(ls)" })'],
    ["tools.opencode_beckon_beckon_status({})"],
  ])("only our own tools inside: bookkeeping · %s", (code) => {
    expect(execute(code)).toBe("bookkeeping");
  });

  test.each([
    ["await tools.beckon_notify_user({}); await tools.bash({ command: 'make' })"],
    ["tools.beckon_status({}); tools['bash']({})"],
    ['tools.beckon_status({}); tools["bash"] ({})'],
    ["tools.beckon_status({}); tools.bash?.({})"],
    ["tools.beckon_status({}); (tools.bash)({})"],
    ["tools.beckon_status({}); tools[name]({})"],
    [`tools.beckon_notify_user({ message: \`\${await tools.bash({ command: 'make' })}\` })`],
    [`tools.beckon_notify_user({ message: \`it's \${await tools.bash({})} it's\` })`],
    ["/* don't */ tools.beckon_status({}); tools.bash({}); /* can't */"],
    ['const quote = /"/; tools.beckon_status({}); tools.bash({}); const text = "x"'],
    ["const run = tools.bash; tools.beckon_status({}); run({})"],
    ["tools.beckon_status({}); tools.bash.call(null, {})"],
    ["tools.beckon_status({}); tools.bash\n({})"],
    ["tools.beckon_status({}); tools.bash/* here */({})"],
    ["tools.beckon_status({}); run`ls`"],
    ["[{}].map(tools.bash); tools.beckon_status({})"],
    ["tools.beckon_status({}); await Promise.all([tools.read({})])"],
    ["return 1 + 1"],
    [""],
  ])("anything else inside: real work · %s", (code) => {
    expect(execute(code)).toBe("real");
  });

  test.each([undefined, null, 7, [], {}, { code: null }, { code: { nested: 1 } }])(
    "no code to read (%j): real",
    (input) => {
      expect(classify("execute", input)).toBe("real");
    },
  );

  test("another tool's input is not looked into", () => {
    expect(classify("bash", { command: "beckon_status()" })).toBe("real");
  });
});

test("whatever the model sent, it is classified", () => {
  fc.assert(
    fc.property(fc.string(), fc.anything({ maxDepth: 3 }), (tool, input) =>
      ["real", "dispatched", "bookkeeping"].includes(classify(tool, input)),
    ),
  );
});

test("code that calls another tool in plain sight is never bookkeeping", () => {
  const own = fc.constantFrom("tools.beckon_status({})", "await tools.beckon_notify_user({message:'a(b)'})");
  const noise = fc.constantFrom("'it(s'", '"x(y)"', "`t`", "/* c' */", "// l\n", "const a = 1;", "\n", "(1)");
  const pieces = fc.array(fc.oneof(own, noise), { maxLength: 6 });
  fc.assert(
    fc.property(pieces, pieces, (before, after) => {
      const code = [...before, "tools.bash({})", ...after].join(";\n");
      return classify("execute", { code }) === "real";
    }),
  );
});
