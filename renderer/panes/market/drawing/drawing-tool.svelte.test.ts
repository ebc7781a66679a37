import { expect, it } from 'vitest'
import type { NewDrawing } from '../../../charts/layers/drawing.ts'
import { DrawingTool } from './drawing-tool.svelte.ts'

const toolOf = () => {
  const added: NewDrawing[] = []
  return { added, tool: new DrawingTool((drawing) => added.push(drawing)) }
}
const at = { time: 600, price: 40 }

it('two points make a line, moved by keys between them [terminal.chart.drawings]', () => {
  const { added, tool } = toolOf()
  tool.begin('trend', at)
  tool.place()
  tool.moveBy(300, 5)
  expect(tool.draft).toEqual({ kind: 'trend', from: at, to: { time: 900, price: 45 } })
  tool.moveBy(0, 90)
  tool.place()
  expect(added).toEqual([{ kind: 'trend', from: at, to: { time: 900, price: 100 } }])
  expect(tool.kind).toBeNull()
})

it('a text is written where it was placed, and Escape drops a drawing', () => {
  const { added, tool } = toolOf()
  tool.begin('text', at)
  tool.place()
  tool.write(' release ')
  tool.begin('text', at)
  tool.place()
  tool.write('  ')
  tool.begin('range', at)
  tool.place()
  tool.cancel()
  tool.place()
  expect(added).toEqual([{ kind: 'text', at, text: 'release' }])
})
