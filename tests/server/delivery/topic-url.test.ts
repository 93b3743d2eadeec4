import { expect, test } from "vitest";
import { topicURL } from "../../../src/server/delivery/topic-url.ts";

test.each([
  ["https://ntfy.sh", "https://ntfy.sh/t/json"],
  ["https://ntfy.sh/", "https://ntfy.sh/t/json"],
  ["http://192.168.1.2:8080//", "http://192.168.1.2:8080/t/json"],
  ["https://example.org/behind/a/proxy/", "https://example.org/behind/a/proxy/t/json"],
  ["https://user:secret@example.org/?auth=secret#secret", "https://example.org/t/json"],
])("below %s it is %s", (server, address) => {
  expect(topicURL(server, "t", "json")).toBe(address);
});

test("a name cannot lead anywhere else", () => {
  expect(topicURL("https://ntfy.sh", "../a?b#c/d")).toBe("https://ntfy.sh/..%2Fa%3Fb%23c%2Fd");
});
