import { describe, expect, it } from 'vitest'
import { checkCodeOf, consumeCliToken } from './cli-login.ts'

function openedWith(hash: string) {
  const addresses: string[] = []
  const token = consumeCliToken({
    location: { hash, pathname: '/', search: '' },
    history: { replaceState: (_state, _unused, url) => void addresses.push(String(url)) },
  })
  return { token, addresses }
}

describe('the secret of a waiting command line', () => {
  // [terminal.access.cli-fragment]
  it('is removed from the address at once, without the other parameters', () => {
    expect(openedWith('#cli=abc-_1')).toEqual({ token: 'abc-_1', addresses: ['/'] })
    expect(openedWith('#cli=abc&c=HELP')).toEqual({ token: 'abc', addresses: ['/#c=HELP'] })
  })

  it('is decoded once, and a plus remains a plus', () => {
    expect(openedWith('#cli=a%2Bb+c%2525').token).toBe('a+b+c%25')
  })

  it.each(['', '#c=HELP', '#ticket=T'])('is absent: “%s”', (hash) => {
    expect(openedWith(hash)).toEqual({ token: null, addresses: [] })
  })

  it.each(['#cli=', '#cli=%E0%A4%A'])('is invalid, and still removed: %s', (hash) => {
    expect(openedWith(hash)).toEqual({ token: null, addresses: ['/'] })
  })

  // SHA-256 of "abc" begins ba7816bf.
  it('has the same check code as on the command line', async () => {
    expect(await checkCodeOf('abc')).toBe('ba78-16bf')
  })
})
