const LONGEST_WAIT = 10_000

export interface Drawing {
  /** The element that the pane draws in; null while there is none. */
  readonly frame: () => HTMLElement | null
  /** Everything it asked has been answered. */
  readonly isAnswered: () => boolean
  /** What stands above the picture. */
  readonly heading: () => string
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))

/** A picture of a pane's chart once it stands, at most ten seconds from now; null without a chart. */
export async function panePicture({
  frame,
  isAnswered,
  heading,
  monotonic,
}: Drawing): Promise<Blob | null> {
  const { drawingsIn, pictureOf } = await import('../charts/picture.ts')
  const until = monotonic() + LONGEST_WAIT
  const isDrawn = () => {
    const host = frame()
    return host !== null && isAnswered() && drawingsIn(host).length > 0
  }
  while (!isDrawn() && monotonic() < until) await nextFrame()
  // What has just been made is drawn with the frame after.
  await nextFrame()
  await nextFrame()
  const host = frame()
  return host === null ? null : pictureOf(host, heading())
}
