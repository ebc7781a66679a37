import { describe, expect, it, vi } from 'vitest'
import { thesisUnderTest } from '../../testing/theses.ts'
import { actionOf, forkAction, type ThesisAction } from './thesis-actions.ts'

const thesis = thesisUnderTest({ title: 'Cut' })
const path = `/api/thesis/${thesis.id}`
const failed = { ok: false, failure: { message: 'no' } }

/** What an action sends, and its result for an answer of the service. */
async function sent(action: ThesisAction, body: object) {
  const send = vi.fn(() => Promise.resolve('ok' in body ? body : { ok: true, body }))
  const result = await action.send({ send: send as never })
  return { calls: send.mock.calls, result }
}

describe('[terminal.theses.edit] an action on a thesis', () => {
  it.each([
    ['evaluate', 'Evaluate', ['POST', `${path}/evaluate`, {}], 'Nothing moved'],
    ['unpublish', 'Unpublish', ['DELETE', `${path}/publish`], '“Cut” is private'],
    ['pause', 'Pause', ['PATCH', path, { status: 'paused' }], '“Cut” is paused'],
    ['resume', 'Set to active', ['PATCH', path, { status: 'active' }], '“Cut” is active'],
  ] as const)('%s is sent and reported', async (kind, label, call, text) => {
    const action = actionOf(kind, thesis)
    expect([action.kind, action.label]).toEqual([kind, label])
    expect(action.text).toContain('“Cut”')
    const { calls, result } = await sent(action, { evaluation: { summary: 'Nothing moved' } })
    expect(calls).toEqual([call])
    expect(result).toEqual({ ok: true, text })
    expect((await sent(action, failed)).result).toBe(failed)
  })

  it.each([
    [0, 'No nearby market adds a condition'],
    [1, '1 condition added with weight 0'],
    [2, '2 conditions added with weight 0'],
  ])('augment counts %i conditions: %s', async (count, text) => {
    const action = actionOf('augment', thesis)
    const { result } = await sent(action, { added: Array.from({ length: count }, () => ({})) })
    expect(result).toEqual({ ok: true, text })
    expect((await sent(action, failed)).result).toBe(failed)
  })

  it('a fork copies, and with another claim continues', async () => {
    const copy = actionOf('fork', thesis)
    expect([copy.label, copy.text]).toEqual(['Fork', expect.stringMatching(/^Copy “Cut”\?/)])
    const copied = await sent(copy, { id: 'new' })
    expect(copied.calls).toEqual([['POST', `${path}/fork`, {}]])
    expect(copied.result).toEqual({ ok: true, text: '“Cut” was copied', id: 'new' })
    const child = forkAction(thesis, 'Another claim')
    expect([child.label, child.text]).toEqual(['Evolve', expect.stringMatching(/^Continue “Cut”/)])
    const continued = await sent(child, { id: 'new' })
    expect(continued.calls).toEqual([['POST', `${path}/fork`, { newRawThesis: 'Another claim' }]])
    expect(continued.result).toMatchObject({ text: '“Cut” continues under the new claim' })
    expect((await sent(child, failed)).result).toBe(failed)
  })

  it('names the public page that is removed', () => {
    const text = (slug: string | null) => actionOf('unpublish', { ...thesis, slug }).text
    expect(text('cut-soon')).toContain('Its public page /thesis/cut-soon will')
    expect(text(null)).toContain('Its public page will')
  })

  it('states whether it pauses or resumes', () => {
    expect(actionOf('pause', thesis).text).toBe('Pause “Cut”?')
    expect(actionOf('resume', thesis).text).toBe('Set “Cut” to active?')
  })
})
