/**
 * Calls `stop`, once, when this process should end: on SIGINT, on SIGTERM, or when the command
 * that started it with a channel has ended for any reason. Returns the same function, for other
 * callers.
 */
export function whenStopRequested(stop: () => void): () => void {
  let requested = false
  const once = (): void => {
    if (requested) return
    requested = true
    stop()
  }
  process.once('SIGINT', once)
  process.once('SIGTERM', once)
  process.once('disconnect', once)
  // The listener does not keep the process alive.
  process.channel?.unref()
  return once
}
