import { describe, expect, it } from 'vitest'
import { cutText, cutTitle } from './text.ts'

describe('a title without its middle', () => {
  const title = 'Which company is the largest in the world: Alphabet? (November 2026)'

  it('keeps the outcome at its end', () => {
    const cut = cutTitle(title, 44)
    expect(cut.endsWith('Alphabet? (November 2026)')).toBe(true)
    expect(cut.startsWith('Which company')).toBe(true)
    expect(cut.length).toBeLessThanOrEqual(44)
  })

  it('is the title where it fits, and its beginning where the last word is too long', () => {
    expect(cutTitle(title, 80)).toBe(title)
    const long = `Will it ${'x'.repeat(80)}`
    expect(cutTitle(long, 30)).toBe(cutText(long, 30))
  })
})
