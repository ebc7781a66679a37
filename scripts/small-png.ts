import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const TRUECOLOUR = 2
const TRUECOLOUR_ALPHA = 6
const INDEXED = 3
const MAX_COLOURS = 256
/** Bits of a channel that distinguish colours while the palette is chosen. */
const KEPT_BITS = 6

interface Image {
  readonly width: number
  readonly height: number
  /** Three bytes a pixel. */
  readonly pixels: Uint8Array
}

/** A part of the used colours: those that will share an entry of the palette. */
type Box = readonly (readonly [red: number, green: number, blue: number, count: number])[]

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, check])
}

function chunksOf(png: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>()
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.set(type, [...(chunks.get(type) ?? []), png.subarray(at + 8, at + 8 + length)])
    at += 12 + length
  }
  return chunks
}

/** A byte of a line; 0 beside the picture. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner
  const [byLeft, byUp] = [Math.abs(guess - left), Math.abs(guess - up)]
  const byCorner = Math.abs(guess - corner)
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

/** Reads a screenshot: eight bits a channel, not interlaced, opaque. */
function decodePng(png: Buffer): Image {
  const chunks = chunksOf(png)
  const header = chunks.get('IHDR')?.[0]
  if (header === undefined) throw new Error('not a PNG')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, type, , , interlace] = header.subarray(8)
  const isKnown = type === TRUECOLOUR || type === TRUECOLOUR_ALPHA
  if (depth !== 8 || interlace !== 0 || !isKnown) throw new Error('not a screenshot')
  const channels = type === TRUECOLOUR ? 3 : 4
  const raw = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []))
  const stride = width * channels
  const lines = new Uint8Array(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < channels ? 0 : byteAt(lines, at - channels)
      const up = byteAt(lines, at - stride)
      const corner = x < channels ? 0 : byteAt(lines, at - stride - channels)
      const from = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      lines[at] = byteAt(raw, y * (stride + 1) + 1 + x) + from
    }
  }
  if (channels === 3) return { width, height, pixels: lines }
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at += 1) {
    pixels.set(lines.subarray(at * 4, at * 4 + 3), at * 3)
  }
  return { width, height, pixels }
}

const keyOf = (red: number, green: number, blue: number): number =>
  (red << 16) | (green << 8) | blue

const keyAt = (pixels: Uint8Array, at: number): number =>
  keyOf(byteAt(pixels, at), byteAt(pixels, at + 1), byteAt(pixels, at + 2))

function coloursOf(pixels: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 3) {
    const key = keyAt(pixels, at)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const spanOf = (box: Box, channel: 0 | 1 | 2): number => {
  const values = box.map((colour) => colour[channel])
  return Math.max(...values) - Math.min(...values)
}

/** The channel in which a box's colours differ most, and how much that matters. */
function widest(box: Box): { readonly channel: 0 | 1 | 2; readonly weight: number } {
  const spans = ([0, 1, 2] as const).map((channel) => ({ channel, span: spanOf(box, channel) }))
  const { channel, span } = spans.reduce((best, next) => (next.span > best.span ? next : best))
  const count = box.reduce((sum, colour) => sum + colour[3], 0)
  return { channel, weight: span * Math.log2(count + 1) }
}

/** At most 256 boxes of similar colours (median cut). */
function boxesOf(counts: ReadonlyMap<number, number>): readonly Box[] {
  const colours: Box = [...counts].map(([key, count]) => [
    key >> 16,
    (key >> 8) & 255,
    key & 255,
    count,
  ])
  if (colours.length <= MAX_COLOURS) return colours.map((colour) => [colour])
  let boxes: { readonly box: Box; readonly channel: 0 | 1 | 2; readonly weight: number }[] = [
    { box: colours, ...widest(colours) },
  ]
  while (boxes.length < MAX_COLOURS) {
    boxes = boxes.toSorted((a, b) => b.weight - a.weight)
    const [first, ...others] = boxes
    if (first === undefined || first.weight === 0) break
    const sorted = first.box.toSorted((a, b) => a[first.channel] - b[first.channel])
    const middle = sorted.length >> 1
    const halves = [sorted.slice(0, middle), sorted.slice(middle)]
    boxes = [...others, ...halves.map((box) => ({ box, ...widest(box) }))]
  }
  return boxes.map(({ box }) => box)
}

/** The mean colour of a box, by how often each is used; the exact one when it is used most. */
function entryOf(box: Box): readonly [number, number, number] {
  const total = box.reduce((sum, colour) => sum + colour[3], 0)
  const [most] = box.toSorted((a, b) => b[3] - a[3])
  if (most !== undefined && most[3] * 2 >= total) return [most[0], most[1], most[2]]
  const mean = (channel: 0 | 1 | 2) =>
    Math.round(box.reduce((sum, colour) => sum + colour[channel] * colour[3], 0) / total)
  return [mean(0), mean(1), mean(2)]
}

/**
 * A screenshot as a PNG with a palette of at most 256 colours, a third of its size. The page uses
 * few colours besides the shades of text edges, so the difference is not visible.
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decodePng(png)
  const exact = coloursOf(pixels)
  const mask = exact.size <= MAX_COLOURS ? 0xff : (0xff << (8 - KEPT_BITS)) & 0xff
  // Shades that differ less than the eye sees are one colour.
  const masked = new Map<number, number>()
  const firstOf = new Map<number, number>()
  for (const [key, count] of [...exact].toSorted(([, one], [, other]) => other - one)) {
    const group = key & keyOf(mask, mask, mask)
    const first = firstOf.get(group) ?? key
    firstOf.set(group, first)
    masked.set(first, (masked.get(first) ?? 0) + count)
  }
  const boxes = boxesOf(masked)
  const indexes = new Map<number, number>()
  boxes.forEach((box, index) => {
    for (const [red, green, blue] of box) indexes.set(keyOf(red, green, blue), index)
  })
  const lines = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < width * height; at += 1) {
    const key = keyAt(pixels, at * 3)
    const first = firstOf.get(key & keyOf(mask, mask, mask)) ?? key
    lines[at + Math.floor(at / width) + 1] = indexes.get(first) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, INDEXED], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(boxes.flatMap(entryOf))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
