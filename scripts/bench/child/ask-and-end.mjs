export function ask(sessionID, requestID = `per_${sessionID}`) {
  const properties = { id: requestID, sessionID, permission: "bash", patterns: ["ls"], metadata: {}, always: [] };
  return { id: `evt_${requestID}`, type: "permission.asked", properties };
}

export function reply(sessionID, requestID = `per_${sessionID}`) {
  return { id: `evt_r_${requestID}`, type: "permission.replied", properties: { sessionID, requestID, reply: "once" } };
}

/** The first event of a recorded round that says it is over. */
export function endOfRound(events) {
  return events.find(({ type, properties }) => type === "session.idle" || properties.status?.type === "idle");
}
