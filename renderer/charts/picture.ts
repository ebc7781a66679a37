/** Style properties that a copy outside the page has to carry. */
const COPIED_STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
]
const MIN_SIDE = 40
const HEAD = 26
const EDGE = 8

/** The charts within an element, by size; icons are excluded. */
export function drawingsIn(frame: Element): readonly (HTMLCanvasElement | SVGSVGElement)[] {
  const all = frame.querySelectorAll<HTMLCanvasElement | SVGSVGElement>('canvas, svg')
  return [...all].filter((drawing) => {
    const { width, height } = drawing.getBoundingClientRect()
    if (drawing instanceof HTMLCanvasElement) return width > 0 && height > 0
    const isIcon = drawing.closest('button, a, [aria-hidden="true"]') !== null
    return width >= MIN_SIDE && height >= MIN_SIDE && !isIcon
  })
}

/** A vector drawing as an image with its colours inlined. */
async function imageOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const originals = [drawing, ...drawing.querySelectorAll('*')]
  const copies = [copy, ...copy.querySelectorAll('*')]
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original)
    for (const name of COPIED_STYLES) {
      copies[index]?.setAttribute(name, style.getPropertyValue(name))
    }
  }
  const { width, height } = drawing.getBoundingClientRect()
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const text = new XMLSerializer().serializeToString(copy)
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** A picture of the charts within an element, with a caption above; null when there is none. */
export async function pictureOf(frame: HTMLElement, heading: string): Promise<Blob | null> {
  const drawings = drawingsIn(frame)
  if (drawings.length === 0) return null
  const boxes = drawings.map((drawing) => drawing.getBoundingClientRect())
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map(({ right }) => right)) - left + 2 * EDGE
  const height = Math.max(...boxes.map(({ bottom }) => bottom)) - top + HEAD + EDGE
  const sharpness = Math.max(2, devicePixelRatio)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * sharpness)
  canvas.height = Math.round(height * sharpness)
  const context = canvas.getContext('2d')
  if (context === null) return null
  const { backgroundColor, color, fontFamily } = getComputedStyle(frame)
  context.scale(sharpness, sharpness)
  context.fillStyle = backgroundColor
  context.fillRect(0, 0, width, height)
  context.fillStyle = color
  context.font = `12px ${fontFamily}`
  context.fillText(heading, EDGE, HEAD - 9, width - 2 * EDGE)
  for (const [index, drawing] of drawings.entries()) {
    const box = boxes[index]
    if (box === undefined) continue
    const source = drawing instanceof HTMLCanvasElement ? drawing : await imageOf(drawing)
    const [x, y] = [box.left - left + EDGE, box.top - top + HEAD]
    context.drawImage(source, x, y, box.width, box.height)
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
