import { describe, expect, it } from 'vitest'
import { signInByTicket } from './session.ts'

function page(hash: string, answer: () => Promise<Response>) {
  const addresses: string[] = []
  const sent: unknown[] = []
  const entered = signInByTicket({
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_state, _unused, url) => void addresses.push(String(url)) },
    fetchFn: (input, init) => {
      sent.push(input, init?.method, init?.body)
      // The ticket leaves the address before the request, even when no response arrives.
      expect(addresses).toHaveLength(1)
      return answer()
    },
  })
  return { entered, addresses, sent }
}
const granted = () => Promise.resolve(Response.json({ user: {}, session: {} }))

describe('entering by a ticket', () => {
  // [auth.ticket.page]
  it('posts the ticket and removes it from the address', async () => {
    const { entered, addresses, sent } = page('#ticket=T-1_x', granted)
    expect(await entered).toBe(true)
    expect(sent).toEqual(['/api/auth/exchange', 'POST', '{"ticket":"T-1_x"}'])
    expect(addresses).toEqual(['/?a=1'])
  })

  it('keeps the command in the address', async () => {
    const { entered, addresses } = page('#ticket=T&c=chart+KX%2FA', granted)
    await entered
    expect(addresses).toEqual(['/?a=1#c=chart+KX%2FA'])
  })

  it.each([
    ['refused', () => Promise.resolve(new Response('', { status: 410 }))],
    ['not answered', () => Promise.reject(new TypeError('no connection'))],
  ])('continues without a session when it is %s', async (_how, answer) => {
    const { entered, addresses } = page('#ticket=T', answer)
    expect(await entered).toBe(false)
    expect(addresses).toEqual(['/?a=1'])
  })

  it.each(['', '#c=help'])('sends no request without a ticket: “%s”', async (hash) => {
    const { entered, addresses, sent } = page(hash, granted)
    expect([await entered, addresses, sent]).toEqual([false, [], []])
  })
})
