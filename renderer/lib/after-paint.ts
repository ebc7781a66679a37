/** Runs work after the current frame was painted; at once in a hidden window. */
export function afterPaint(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work)
  else requestAnimationFrame(() => setTimeout(work))
}
