import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { smallPng } from './small-png.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length)
  out.writeUInt32BE(data.length)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}

/** A truecolour PNG whose lines use the five filters one after the other. */
function pngOf(width: number, height: number, colourAt: (x: number, y: number) => number[]) {
  const flat = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => colourAt(x, y)).flat(),
  )
  const paeth = (a: number, b: number, c: number) => {
    const away = [a, b, c].map((value) => Math.abs(a + b - c - value))
    return [a, b, c][away.indexOf(Math.min(...away))]!
  }
  const lines = flat.flatMap((line, y) => [
    y % 5,
    ...line.map((value, x) => {
      const [a, b, c] = [line[x - 3] ?? 0, flat[y - 1]?.[x] ?? 0, flat[y - 1]?.[x - 3] ?? 0]
      return (value - [0, a, b, (a + b) >> 1, paeth(a, b, c)][y % 5]!) & 255
    }),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const body = [chunk('IHDR', header), chunk('IDAT', deflateSync(Uint8Array.from(lines)))]
  return Buffer.concat([Uint8Array.from(SIGNATURE), ...body, chunk('IEND', Uint8Array.of())])
}

/** The colours of an indexed PNG. */
function coloursOf(png: Buffer, width: number) {
  const part = (type: string) => {
    const at = png.indexOf(type, 0, 'latin1')
    expect(crc32(png.subarray(at, at + 4 + png.readUInt32BE(at - 4)))).toBe(
      png.readUInt32BE(at + 4 + png.readUInt32BE(at - 4)),
    )
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  }
  const palette = part('PLTE')
  return [...inflateSync(part('IDAT'))]
    .filter((_, at) => at % (width + 1) !== 0)
    .map((index) => [...palette.subarray(3 * index, 3 * index + 3)])
}

it('few colours stay exactly as they were, whatever the filters', () => {
  const colourAt = (x: number, y: number) => [(x * 7) % 50, y * 3, (x * y) % 2 === 0 ? 250 : 4]
  const small = smallPng(pngOf(8, 10, colourAt))
  const wanted = Array.from({ length: 80 }, (_, at) => colourAt(at % 8, Math.floor(at / 8)))
  expect(coloursOf(small, 8)).toEqual(wanted)
})

it('many colours become the nearest of a palette', () => {
  const colourAt = (x: number, y: number) => [x * 4, y * 4, (x + y) % 256]
  const large = pngOf(64, 64, colourAt)
  const small = smallPng(large)
  const off = coloursOf(small, 64).map((colour, at) =>
    Math.max(
      ...colourAt(at % 64, Math.floor(at / 64)).map((part, i) => Math.abs(part - colour[i]!)),
    ),
  )
  expect(Math.max(...off)).toBeLessThan(20)
})
