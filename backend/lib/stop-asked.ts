/**
 * Calls `stop`, once, when this process is asked to end: by SIGINT, by SIGTERM, or because the command
 * that started it with a channel is gone, however it ended. Answers the same for whoever else ends it.
 */
export function whenStopAsked(stop: () => void): () => void {
  let asked = false
  const once = (): void => {
    if (asked) return
    asked = true
    stop()
  }
  process.once('SIGINT', once)
  process.once('SIGTERM', once)
  process.once('disconnect', once)
  // It is listened to, and keeps nothing running.
  process.channel?.unref()
  return once
}
