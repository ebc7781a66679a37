/**
 * Calls `stop`, once, when this process should end: on SIGINT, on SIGTERM, or when the command
 * that started it with a channel has ended for any reason. Returns the same function, for other
 * callers.
 */
export function whenStopRequested(stop: () => void): () => void {
  let requested = false
  const shutDownOnce = (): void => {
    if (requested) return
    requested = true
    stop()
  }
  process.once('SIGINT', shutDownOnce)
  process.once('SIGTERM', shutDownOnce)
  process.once('disconnect', shutDownOnce)
  // The listener does not keep the process alive.
  process.channel?.unref()
  return shutDownOnce
}
