import { durationWords } from "./duration.ts";
import { type Wording, withDetail } from "./wording.ts";

const units = { hours: "小时", minutes: "分", seconds: "秒" };

export const chinese: Wording = {
  language: "zh",
  question: (header) => withDetail("有问题等待您回答", header),
  questions: (count) => `有 ${count} 个问题等待您回答`,
  permission: (action) => withDetail("有操作等待您许可", action),
  requests: (count) => `有 ${count} 个请求等待您处理`,
  done: (ms) => withDetail("工作已完成", ms === undefined ? undefined : durationWords(ms, units)),
  error: (name) => withDetail("因错误停止", name),
  stuck: (attempt) => withDetail("尚无回应，仍在重试", attempt === undefined ? undefined : `第 ${attempt} 次`),
  inactive: () => "已停止：长时间无活动",
  reminder: (of) => withDetail("仍在等待", of),
  summary: (count, titles) => withDetail(`${count} 个会话已完成`, titles),
  kind: { pause: "等待您处理", done: "工作已完成", error: "因错误停止" },
  actions: { allowOnce: "允许一次", deny: "拒绝" },
};
