import { encode } from 'gpt-tokenizer'
import { expect } from 'vitest'

const CALLS = 5
const TOKENS = 4_000

/** Addresses in a text, in order. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/`GET ([^`\s]+)`/g)].map(([, url]) => url ?? '')

/** Body of the response to a GET of a path, after its status and a space. */
export type Ask = (path: string) => Promise<string>

export interface Walk {
  readonly texts: readonly string[]
  readonly tokens: number
}

/**
 * Reads of an agent that knows one address and follows the links in responses. In five calls and
 * 4,000 tokens it learns what changed, why, and what is tradable.
 */
export async function walk(ask: Ask): Promise<Walk> {
  const texts: string[] = []
  const read = async (url: string): Promise<string> => {
    const answer = await ask(url.replace('http://augury.test', ''))
    expect(answer.slice(0, 3), `${url} answered ${answer.slice(0, 200)}`).toBe('200')
    texts.push(answer.slice(4))
    return answer.slice(4)
  }
  const world = await read('http://augury.test/api/agent/world')
  const explains = linksIn(world).filter((url) => url.includes('op=explain'))
  for (const explain of explains) {
    const [dossier] = linksIn(await read(explain)).filter((url) => url.includes('/inspect/'))
    if (dossier !== undefined) await read(dossier)
    if (texts.length >= CALLS - 1) break
  }
  const tokens = texts.reduce((sum, text) => sum + encode(text).length, 0)
  return { texts, tokens }
}

export function expectAnswers({ texts, tokens }: Walk): void {
  expect(texts.length).toBeLessThanOrEqual(CALLS)
  expect(tokens).toBeLessThanOrEqual(TOKENS)
  const [world = '', ...further] = texts
  // What changed.
  expect(world).toMatch(/^# World \(/)
  expect(world).toMatch(/^## \[\w+\] /m)
  // Why.
  expect(further.some((text) => /^- (?:\d\.\d+ \w+ — |unexplained)/m.test(text))).toBe(true)
  // What is tradable.
  const dossiers = further.filter((text) => /^Suggestion: /m.test(text))
  expect(dossiers.length).toBeGreaterThan(0)
  expect(dossiers[0]).toMatch(/^Price .*bid/m)
}
