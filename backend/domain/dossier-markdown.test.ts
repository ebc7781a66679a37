import { describe, expect, it } from 'vitest'
import { dossierMarkdown } from './dossier-markdown.ts'
import type { DossierText } from './dossier-markdown.ts'

const dossier = (fields: Partial<DossierText> = {}): DossierText => ({
  ticker: 'KXCEASE-27JAN',
  venue: 'venue_a',
  status: 'active',
  title: 'Will the ceasefire hold to January?',
  price: 52,
  bestBid: 51,
  bestAsk: 53,
  volume24h: 18_400,
  volumeUnit: 'contracts',
  openInterest: 96_200,
  closeTime: '2027-01-01T04:59:00.000Z',
  suggestion: {
    action: 'monitor',
    confidence: 0.3,
    sizeHint: 'small',
    reasoning: 'volume without a known catalyst',
    positives: ['depth on both sides'],
    warnings: ['adverse selection rising'],
  },
  regime: { label: 'neutral', asScore: 0.577 },
  indicators: { iy: 812.4, cri: 1.083, ee: null, las: 0.0385, tauDays: 41 },
  diff24h: { price: { from: 44, to: 52 } },
  trend7d: [41, 41, 43, 42, 44, 44, 52].map((price) => ({ price })),
  crossVenue: [
    {
      ticker: `0x9f${'0'.repeat(60)}c1`,
      venue: 'venue_b',
      price: 49,
      confidence: 0.86,
      gap: 3,
    },
  ],
  contagion: [
    {
      trigger: { ticker: 'KXCEASE-27JAN' },
      lagging: { ticker: 'KXOIL-26DEC' },
      direction: 'lagging',
      gap: 4.2,
    },
    {
      trigger: { ticker: 'KXWAR' },
      lagging: { ticker: 'KXCEASE-27JAN' },
      direction: 'overshooting',
      gap: -6,
    },
  ],
  apiUrl: 'http://127.0.0.1:4870/api/public/market/KXCEASE-27JAN',
  ...fields,
})

describe('a dossier as text', () => {
  it('has a line for each known value', () => {
    expect(dossierMarkdown(dossier())).toBe(`# KXCEASE-27JAN · venue_a · active
Will the ceasefire hold to January?
Price 52¢ (bid 51 / ask 53) · vol24h 18,400 contracts · OI 96,200 · closes 2027-01-01 (41d)
Suggestion: monitor (0.3, small) — volume without a known catalyst
+ depth on both sides   - adverse selection rising
Regime: neutral 0.58 · IY 812% · CRI 1.08 · EE – · LAS 0.04
24h: 44¢ → 52¢ · 7d: 41 41 43 42 44 44 52
Cross-venue: 0x9f…c1 venue_b 49¢ (conf 0.86, gap 3¢)
Contagion: KXOIL-26DEC lagging 4¢ · overshooting KXWAR 6¢
Next: \`GET http://127.0.0.1:4870/api/public/market/KXCEASE-27JAN\`
`)
  })

  it('leaves lines without data out and prints a dash for an unknown number', () => {
    const nothing = dossier({
      price: null,
      bestBid: null,
      bestAsk: null,
      volume24h: null,
      openInterest: null,
      closeTime: null,
      title: '',
      crossVenue: [],
      contagion: [],
      trend7d: [],
      suggestion: {
        action: 'avoid',
        confidence: 0.7,
        sizeHint: 'small',
        reasoning: 'Avoid.',
        positives: [],
        warnings: [],
      },
      regime: { label: 'neutral', asScore: null },
      indicators: { iy: null, cri: null, ee: null, las: null, tauDays: null },
      diff24h: { price: { from: null, to: 52 } },
    })
    expect(dossierMarkdown(nothing)).toBe(`# KXCEASE-27JAN · venue_a · active
Price – · vol24h – · OI –
Suggestion: avoid (0.7, small) — Avoid.
Next: \`GET http://127.0.0.1:4870/api/public/market/KXCEASE-27JAN\`
`)
  })

  it('keeps foreign text on its line, labels dollars, and marks a missing side', () => {
    const odd = dossier({ volumeUnit: 'usd', bestAsk: null, title: 'A\n# title\n\nof lines' })
    const lines = dossierMarkdown(odd).split('\n')
    expect(lines[1]).toBe('A # title of lines')
    expect(lines[2]).toContain('Price 52¢ (bid 51 / ask –) · vol24h $18,400 ·')
    const long = dossierMarkdown(dossier({ title: 'word '.repeat(2_000) }))
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThanOrEqual(200)
  })
})
