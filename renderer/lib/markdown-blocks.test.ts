import { expect, it } from 'vitest'
import { blocksOf, spansOf } from './markdown-blocks.ts'

it('reads headings, paragraphs and lists', () => {
  const text = '# Briefing\nOil rose.\nStill.\n\n## Movers\n- **44¢** to 52¢ (`KX`)\n- other\n'
  expect(blocksOf(text)).toEqual([
    { kind: 'heading', level: 1, spans: [{ kind: 'text', text: 'Briefing' }] },
    { kind: 'paragraph', spans: [{ kind: 'text', text: 'Oil rose. Still.' }] },
    { kind: 'heading', level: 2, spans: [{ kind: 'text', text: 'Movers' }] },
    {
      kind: 'list',
      items: [
        [
          { kind: 'strong', text: '44¢' },
          { kind: 'text', text: ' to 52¢ (' },
          { kind: 'code', text: 'KX' },
          { kind: 'text', text: ')' },
        ],
        [{ kind: 'text', text: 'other' }],
      ],
    },
  ])
})

it('reads links to http addresses', () => {
  expect(spansOf('Up [Source](http://here/api/agent/inspect/KX), [b](https://b)')).toEqual([
    { kind: 'text', text: 'Up ' },
    { kind: 'link', text: 'Source', address: 'http://here/api/agent/inspect/KX' },
    { kind: 'text', text: ', ' },
    { kind: 'link', text: 'b', address: 'https://b' },
  ])
})

it('renders markup, other links and images as their text', () => {
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '![](http://elsewhere/x.png)',
    '* * *** `',
  ]) {
    expect(spansOf(text)).toEqual([{ kind: 'text', text }])
  }
})

it('reads an address without a name, but not the punctuation after it', () => {
  expect(spansOf('Oil rose · http://here/api/agent/inspect/KX-1.')).toEqual([
    { kind: 'text', text: 'Oil rose · ' },
    { kind: 'address', address: 'http://here/api/agent/inspect/KX-1' },
    { kind: 'text', text: '.' },
  ])
})
