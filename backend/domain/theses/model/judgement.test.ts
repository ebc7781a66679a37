import { describe, expect, it } from 'vitest'
import { judgementIn } from './judgement.ts'

const NODES = new Set(['n1', 'n2'])
const SIGNALS = new Set(['sig_1', 'sig_2'])
const read = (answer: unknown) =>
  judgementIn(typeof answer === 'string' ? answer : JSON.stringify(answer), NODES, SIGNALS)
const one = (fields: object = {}) => ({ nodeId: 'n1', signalId: 'sig_1', class: 'for', ...fields })

describe('the judgement of a model', () => {
  it('is read from classes alone, also inside a code fence', () => {
    const answer = {
      summary: ' The vote is near. ',
      judgements: [
        one({ probability: 0.99 }),
        one({ signalId: 'sig_2', class: 'strong_against' }),
        one({ nodeId: 'n2', class: 'neutral' }),
      ],
    }
    expect(read(`Here you are:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``)).toEqual({
      summary: 'The vote is near.',
      corrections: [],
      kills: [],
      shifts: [
        { nodeId: 'n1', signalId: 'sig_1', shift: 0.4 },
        { nodeId: 'n1', signalId: 'sig_2', shift: -0.8 },
      ],
    })
  })

  it('leaves out what cites nothing known, and reports it', () => {
    const found = read({
      judgements: [
        one({ nodeId: 'n9' }),
        one({ signalId: 'sig_9' }),
        one({ class: 'certain' }),
        one(),
        one({ class: 'against' }),
        null,
      ],
    })
    expect(found?.shifts).toEqual([{ nodeId: 'n1', signalId: 'sig_1', shift: 0.4 }])
    expect(found?.corrections).toEqual([
      'judgement 1 was left out: unknown condition',
      'judgement 2 was left out: unknown signal',
      'judgement 3 was left out: unknown class',
      'judgement 5 was left out: judged twice',
      'judgement 6 was left out: unknown condition',
    ])
  })

  it('takes met kill conditions that are known and cite a known signal', () => {
    const answer = {
      judgements: [],
      kills: [
        { nodeId: 'n1', signalId: 'sig_1' },
        { nodeId: 'n1', signalId: 'sig_2' },
        { nodeId: 'n2', signalId: 'sig_1' },
        { nodeId: 'n1', signalId: 'sig_9' },
        null,
      ],
    }
    const found = judgementIn(JSON.stringify(answer), NODES, SIGNALS, new Map([['n1', 'wrong']]))
    expect(found?.kills).toEqual([{ nodeId: 'n1', text: 'wrong', signalId: 'sig_1' }])
    expect(found?.corrections).toHaveLength(3)
  })

  it.each(['', 'I cannot help with that.', '{"judgements": 1}', '{"judgements": [', '[]'])(
    'is none for %j',
    (answer) => expect(read(answer)).toBeNull(),
  )
})
