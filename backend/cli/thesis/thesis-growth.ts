import { usageError } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'
import { text } from '../terminal/output.ts'
import type { Verbs } from '../verbs.ts'
import { followFormation } from './follow-formation.ts'
import { heartbeatText } from './thesis-heartbeat.ts'
import { chance } from './thesis-text.ts'

/** The value of a setting: JSON where it is JSON, else the word. */
function settingOf(argument: string): unknown {
  try {
    return JSON.parse(argument) as unknown
  } catch {
    return argument
  }
}

const LOOPS: Readonly<Record<string, unknown>> = {
  on: true,
  off: false,
  entries: { entry: true, exit: false },
  exits: { entry: false, exit: true },
}

/** `newsIntervalMin=60 closedLoop=exits` as a body. @throws CliFailure (usage) */
function heartbeatFields(settings: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    settings.map((argument) => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(argument) ?? []
      if (name === undefined || value === undefined) {
        throw usageError(`--set takes settings such as newsIntervalMin=60, not "${argument}"`)
      }
      return [name, name === 'closedLoop' && value in LOOPS ? LOOPS[value] : settingOf(value)]
    }),
  )
}

/** The verbs that extend a thesis, make another one of it, or set its schedule. */
export const THESIS_GROWTH: Verbs = {
  augment: {
    argumentCount: [1, 1],
    usage: 'augment ID [--depth N] [--focus n1]',
    async run(client, call, [id = '']) {
      const [depth, focus] = [call.flags.number('depth'), call.flags.text('focus')]
      const body = await client.send('POST', routePath('/api/thesis/:id/augment', { id }), {
        ...(depth !== null && { depth }),
        ...(focus !== null && { focusNodeId: focus }),
      })
      return printBody(call, body, ({ added, skipped, model }) =>
        added.length === 0
          ? 'added: none, no nearby market adds a condition'
          : [
              `added: ${added.length} by ${text(model)}, ${skipped.length} skipped; they count once they have a weight`,
              ...added.map(
                (node) => `  ${node.id} ${text(node.label)}: ${chance(node.probability)}`,
              ),
            ].join('\n'),
      )
    },
  },
  fork: {
    argumentCount: [1, 1],
    usage: 'fork ID|SLUG [--claim TEXT [--async]] [--title TEXT] [--reason TEXT]',
    async run(client, call, [idOrSlug = '']) {
      const { flags } = call
      const [claim, title, reason] = ['claim', 'title', 'reason'].map((name) => flags.text(name))
      const body = await client.send('POST', routePath('/api/thesis/:id/fork', { id: idOrSlug }), {
        ...(claim !== null && { newRawThesis: claim }),
        ...(title !== null && { newTitle: title }),
        ...(reason !== null && { reason }),
      })
      if (claim !== null && !flags.has('async')) {
        return followFormation(client, call, parseJson(body).id)
      }
      const statusWord = claim === null ? 'forked' : 'forming'
      return printBody(call, body, ({ id }) => `${statusWord}: ${text(id)}`)
    },
  },
  heartbeat: {
    argumentCount: [1, 1],
    usage: 'heartbeat ID [--set newsIntervalMin=60 paused=true …]',
    async run(client, call, [id = '']) {
      const address = routePath('/api/thesis/:id/heartbeat', { id })
      const settings = call.flags.texts('set')
      const body =
        settings.length === 0
          ? await client.get(address)
          : await client.send('PATCH', address, heartbeatFields(settings))
      return printBody(call, body, heartbeatText)
    },
  },
}
