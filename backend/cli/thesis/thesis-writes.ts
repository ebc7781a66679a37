import { usageError } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, parseJson, type RoutePath } from '../route.ts'
import { confirm } from '../terminal/confirm.ts'
import { text } from '../terminal/output.ts'
import type { Verbs } from '../verbs.ts'
import { followFormation } from './follow-formation.ts'
import { evaluationText, thesisText, whatIfText } from './thesis-text.ts'

/** `n1=40%`, `n1=0.4`: a condition and its probability. @throws CliFailure (usage) */
function overrideOf(argument: string): { readonly nodeId: string; readonly probability: number } {
  const [, nodeId, digits, sign] = /^(n\d+(?:\.\d+)*)=(\d+(?:\.\d+)?)(%?)$/.exec(argument) ?? []
  const probability = sign === '%' ? Number(digits) / 100 : Number(digits)
  if (nodeId === undefined || !(probability >= 0 && probability <= 1)) {
    throw usageError(
      `--set takes conditions with a probability such as n1=40% or n1=0.4, not "${argument}"`,
    )
  }
  return { nodeId, probability }
}

/** The verbs that write. */
export const THESIS_WRITES: Verbs = {
  create: {
    argumentCount: [1, 400],
    usage: 'create TEXT [--title TEXT] [--sync | --async]',
    async run(client, call, args) {
      const { flags } = call
      const title = flags.text('title')
      const claim = { rawThesis: args.join(' '), ...(title !== null && { title }) }
      if (flags.has('sync')) {
        const address = '/api/thesis/create?sync=true' as RoutePath<'/api/thesis/create'>
        return printBody(call, await client.send('POST', address, claim), (thesis) =>
          'causalTree' in thesis ? thesisText(thesis, screenOf(call.system)) : '',
        )
      }
      const body = await client.send('POST', '/api/thesis/create', claim)
      const { id } = parseJson(body)
      if (!flags.has('async')) return followFormation(client, call, id)
      return printBody(call, body, `forming: ${text(id)}`)
    },
  },
  signal: {
    argumentCount: [2, 400],
    usage: 'signal ID TEXT [--type T] [--node n1] [--url U]',
    async run(client, call, [id = '', ...args]) {
      const { flags } = call
      const [node, url] = [flags.text('node'), flags.text('url')]
      const body = await client.send('POST', routePath('/api/thesis/:id/signal', { id }), {
        type: flags.text('type') ?? 'user_note',
        content: args.join(' '),
        source: 'cli',
        ...(node !== null && { nodeId: node }),
        ...(url !== null && { url }),
      })
      return printBody(
        call,
        body,
        ({ signalId, pending }) => `queued: ${text(signalId)}, ${pending} waiting`,
      )
    },
  },
  evaluate: {
    argumentCount: [1, 1],
    usage: 'evaluate ID [--model TIER]',
    async run(client, call, [id = '']) {
      const modelTier = call.flags.text('model') ?? call.settings.defaultModel
      const body = await client.send('POST', routePath('/api/thesis/:id/evaluate', { id }), {
        ...(modelTier !== null && { modelTier }),
      })
      return printBody(
        call,
        body,
        ({ evaluation, status }) => `${evaluationText(evaluation)}\nstatus: ${status}`,
      )
    },
  },
  whatif: {
    argumentCount: [1, 1],
    usage: 'whatif ID --set n1=40% n2=0.1',
    async run(client, call, [id = '']) {
      const overrides = call.flags.texts('set').map(overrideOf)
      if (overrides.length === 0) throw usageError('whatif needs --set n1=40%')
      const body = await client.send('POST', routePath('/api/thesis/:id/whatif', { id }), {
        overrides,
      })
      return printBody(call, body, (answer) => whatIfText(answer, screenOf(call.system)))
    },
  },
  publish: {
    argumentCount: [1, 1],
    usage: 'publish ID [--slug NAME] [--description TEXT]',
    async run(client, call, [id = '']) {
      const [slug, description] = [call.flags.text('slug'), call.flags.text('description')]
      const body = await client.send('POST', routePath('/api/thesis/:id/publish', { id }), {
        ...(slug !== null && { slug }),
        ...(description !== null && { description }),
      })
      return printBody(call, body, ({ url }) => text(url))
    },
  },
  unpublish: {
    argumentCount: [1, 1],
    usage: 'unpublish ID',
    run: async (client, call, [id = '']) =>
      printBody(
        call,
        await client.send('DELETE', routePath('/api/thesis/:id/publish', { id })),
        `private: ${text(id)}`,
      ),
  },
  status: {
    argumentCount: [2, 2],
    usage: 'status ID STATE [--outcome yes|no|void]',
    async run(client, call, [id = '', status = '']) {
      const outcome = call.flags.text('outcome')
      const body = await client.send('PATCH', routePath('/api/thesis/:id', { id }), {
        status,
        ...(outcome !== null && { outcome }),
      })
      return printBody(call, body, (thesis) => `${thesis.status}: ${thesis.id}`)
    },
  },
  delete: {
    argumentCount: [1, 1],
    usage: 'delete ID [--yes]',
    async run(client, call, [id = '']) {
      await confirm(call, `Deleting the thesis ${id} cannot be undone.`, 'delete')
      const body = await client.send('DELETE', routePath('/api/thesis/:id', { id }))
      return printBody(call, body, `deleted: ${text(id)}`)
    },
  },
}
