/**
 * Does a piece of work once the frame that is being made was shown; at once in a window that shows
 * none.
 */
export function afterPaint(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work)
  else requestAnimationFrame(() => setTimeout(work))
}
