const MAX_WAIT = 10_000

export interface Drawing {
  /** The element that contains the pane; null while there is none. */
  readonly frame: () => HTMLElement | null
  /** All its requests have completed. */
  readonly isAnswered: () => boolean
  /** Caption of the picture. */
  readonly heading: () => string
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))

/**
 * A picture of a pane's chart once it is drawn, waiting up to ten seconds; null without a chart.
 */
export async function panePicture({
  frame,
  isAnswered,
  heading,
  monotonic,
}: Drawing): Promise<Blob | null> {
  const { drawingsIn, pictureOf } = await import('../../charts/picture.ts')
  const until = monotonic() + MAX_WAIT
  const isDrawn = () => {
    const host = frame()
    return host !== null && isAnswered() && drawingsIn(host).length > 0
  }
  while (!isDrawn() && monotonic() < until) await nextFrame()
  // A new chart is drawn in the following frame.
  await nextFrame()
  await nextFrame()
  const host = frame()
  return host === null ? null : pictureOf(host, heading())
}
