import type { Message } from '../../backend/contract/forum/forum.ts'
import { SYSTEM_CHANNELS } from '../../backend/domain/forum/channels.ts'
import { MINUTE } from '../../backend/domain/units.ts'
import { startForumService, type Member } from '../../backend/testing/forum-service.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { chanceOf, type Chance } from './chance.ts'

const MEMBERS = 20
const POSTS_A_ROUND = 10
/** Sign-ups from one address within a minute. */
const SIGNUPS = 15
const CHANNELS = SYSTEM_CHANNELS.map(({ id }) => id)

/** One reader with its own cursor, of all channels or of some. */
class Poller {
  readonly seen = new Map<string, number>()
  readonly channels: readonly string[] | null
  disordered = 0
  polls = 0
  readonly #member: Member
  #cursor: string
  #last = ''

  constructor(member: Member, channels: readonly string[] | null, cursor: string) {
    this.#member = member
    this.channels = channels
    this.#cursor = cursor
  }

  /** Polls once; returns whether the page was empty. */
  async poll(limit: number): Promise<boolean> {
    const filter = this.channels === null ? '' : `&channels=${this.channels.join()}`
    const page = await this.#member.poll(`?since=${this.#cursor}&limit=${limit}${filter}`)
    this.polls += 1
    this.#cursor = page.cursor
    for (const { id, createdAt } of page.messages) {
      if (createdAt <= this.#last) this.disordered += 1
      this.#last = createdAt
      this.seen.set(id, (this.seen.get(id) ?? 0) + 1)
    }
    return page.count === 0
  }

  /** Messages that it should have seen once and has not. */
  missed(posted: readonly Message[]): number {
    const own = posted.filter(({ channelId }) => this.channels?.includes(channelId) ?? true)
    return own.filter(({ id }) => !this.seen.has(id)).length
  }

  get repeated(): number {
    return [...this.seen.values()].filter((times) => times > 1).length
  }
}

/**
 * Twenty users post over HTTP at the same time while each polls with a cursor. The clock does not
 * advance within a round, so all messages of a round compete for the same millisecond.
 */
export const forum: TortureCampaign = {
  name: 'forum',
  about: 'forum: 20 writers and 20 pollers at the same time; each message is seen exactly once',
  rounds: 20,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const service = await startForumService()
    try {
      const members: Member[] = []
      for (let index = 0; index < MEMBERS; index += 1) {
        if (index % SIGNUPS === 0) await service.clock.advance(MINUTE)
        members.push(await service.join(`member-${index}`))
      }
      const start = new Date(0).toISOString()
      const pollers = members.map(
        (member, index) =>
          new Poller(member, index % 2 === 0 ? null : CHANNELS.slice(index % 4), start),
      )
      const posted: Message[] = []
      for (let round = 1; round <= rounds; round += 1) {
        await service.clock.advance(MINUTE)
        await playRound(members, pollers, posted, chance)
        if (round % 10 === 0) log(`${round} rounds, ${posted.length} messages`)
      }
      return figuresOf(pollers, posted, rounds)
    } finally {
      await service.stop()
    }
  },
}

/** Everyone posts ten messages while everyone polls, until each poller has read to the end. */
async function playRound(
  members: readonly Member[],
  pollers: readonly Poller[],
  posted: Message[],
  chance: Chance,
): Promise<void> {
  let areDone = false
  const writing = Promise.all(
    members.map(async (member) => {
      for (let index = 0; index < POSTS_A_ROUND; index += 1) {
        const channel = CHANNELS[chance.integer(CHANNELS.length)] ?? 'general'
        posted.push((await member.post(channel, `message ${index}`)).message)
      }
    }),
  ).finally(() => (areDone = true))
  const reading = pollers.map(async (poller) => {
    for (;;) {
      const wereDone = areDone
      const isEmpty = await poller.poll(1 + chance.integer(20))
      if (wereDone && isEmpty) return
    }
  })
  await Promise.all([writing, ...reading])
}

function figuresOf(
  pollers: readonly Poller[],
  posted: readonly Message[],
  rounds: number,
): TortureFigure[] {
  const sum = (of: (poller: Poller) => number): number =>
    pollers.reduce((total, poller) => total + of(poller), 0)
  const expected = MEMBERS * POSTS_A_ROUND * rounds
  const times = new Set(posted.map(({ createdAt }) => createdAt))
  const none = (name: string, value: number): TortureFigure => ({
    name,
    value,
    goal: '0',
    met: value === 0,
  })
  return [
    {
      name: 'messages posted',
      value: posted.length,
      goal: `${expected}`,
      met: posted.length === expected,
    },
    { name: 'polls', value: sum(({ polls }) => polls) },
    none(
      'messages missed by a poller',
      sum((poller) => poller.missed(posted)),
    ),
    none(
      'messages repeated to a poller',
      sum(({ repeated }) => repeated),
    ),
    none(
      'messages out of order',
      sum(({ disordered }) => disordered),
    ),
    none('messages with the time of another', posted.length - times.size),
  ]
}
