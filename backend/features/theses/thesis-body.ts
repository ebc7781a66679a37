import { claimProblem } from '../../domain/theses/claim.ts'
import {
  TreeEditRefused,
  type NewNode,
  type NodeUpdate,
  type TreeEdit,
} from '../../domain/theses/tree-edit.ts'
import { KILL_OPS, type KillCondition } from '../../domain/theses/tree.ts'
import type { StoredSignal } from '../../domain/theses/thesis.ts'
import type { Millis } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'

const MAX_LABEL_LENGTH = 300
const MAX_METADATA_BYTES = 10_240
const MAX_CHANGES = 100
const MAX_OVERRIDES = 50
const MAX_TICKERS = 10
const MAX_INHERITED = 100
const CHANCE = { min: 0, max: 1 }

/** Metadata of a body; undefined when not sent. @throws InvalidInput */
export function metadataIn(fields: BodyFields): Record<string, unknown> | undefined {
  const value = fields.raw('metadata')
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput('metadata must be an object')
  }
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_METADATA_BYTES) {
    throw new InvalidInput('metadata must have at most 10 KB as JSON')
  }
  return { ...value }
}

/** The claim of a body. @throws InvalidInput with the rule that the text breaks */
export function claimIn(claimValue: unknown): string {
  const problem = claimProblem(claimValue)
  if (problem !== null) {
    const { code, reason, error, hint } = problem
    throw new InvalidInput(error, { code, details: { reason, hint } })
  }
  return String(claimValue).trim()
}

/** Markets whose edges a new thesis takes over from another one. @throws InvalidInput */
export function inheritedTickers(fields: BodyFields): readonly string[] {
  const rawMarketIds = fields.raw('inheritEdgeMarketIds')
  if (rawMarketIds === undefined || rawMarketIds === null) return []
  const isFit =
    Array.isArray(rawMarketIds) &&
    rawMarketIds.length <= MAX_INHERITED &&
    rawMarketIds.every((item): item is string => typeof item === 'string')
  if (!isFit) {
    throw new InvalidInput(
      `inheritEdgeMarketIds must be a list of at most ${MAX_INHERITED} market ids`,
    )
  }
  return rawMarketIds
}

/** The address for events of a thesis; null clears it, undefined when not sent. */
export function webhookUrlIn(fields: BodyFields): string | null | undefined {
  const url = fields.text('webhookUrl', { max: 2_048 })
  return url === '' ? null : url
}

function listOf(fields: BodyFields, name: string): readonly unknown[] {
  const value = fields.raw(name)
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new InvalidInput(`${name} must be a list`)
  return value
}

function textList(fields: BodyFields, name: string): string[] | undefined {
  if (!fields.has(name)) return undefined
  const value = listOf(fields, name)
  const isFit = value.every((item) => typeof item === 'string' && item !== '' && item.length <= 200)
  if (!isFit || value.length > MAX_TICKERS) {
    throw new InvalidInput(`${name} must be a list of at most ${MAX_TICKERS} tickers`)
  }
  return value as string[]
}

function killConditionIn(fields: BodyFields): KillCondition | null | undefined {
  const value = fields.raw('killCondition')
  if (value === undefined || value === null) return value
  const kill = new BodyFields(value)
  const op = kill.word('op', KILL_OPS)
  const text = kill.text('text', { min: 1, max: MAX_LABEL_LENGTH })
  if (op === undefined || typeof text !== 'string') {
    throw new InvalidInput('killCondition must have op and text')
  }
  const bounds = op.startsWith('prob') ? CHANCE : { min: 0, max: 100 }
  const limit = kill.number('value', bounds) ?? null
  if (op !== 'text' && limit === null) {
    throw new InvalidInput(`killCondition needs a value for ${op}`)
  }
  return { op, text, value: limit, ticker: kill.text('ticker', { min: 1, max: 200 }) ?? null }
}

function updateIn(body: unknown): NodeUpdate {
  const fields = new BodyFields(body)
  const nodeId = fields.text('nodeId', { min: 1, max: 64 })
  if (typeof nodeId !== 'string') throw new InvalidInput('nodeId is required')
  const nodeFields = {
    probability: fields.number('probability', CHANCE) ?? undefined,
    importance: fields.number('importance', CHANCE) ?? undefined,
    label: fields.text('label', { min: 1, max: MAX_LABEL_LENGTH }) ?? undefined,
    outcome: fields.raw('outcome') === null ? null : fields.word('outcome', ['yes', 'no'] as const),
    locked: fields.flag('locked'),
    tickers: textList(fields, 'tickers'),
    killCondition: killConditionIn(fields),
  }
  const definedFields = Object.fromEntries(
    Object.entries(nodeFields).filter(([, value]) => value !== undefined),
  )
  if (Object.keys(definedFields).length === 0)
    throw new InvalidInput(`nodeId ${nodeId} has no change`)
  return { nodeId, ...definedFields }
}

function additionIn(body: unknown): NewNode {
  const fields = new BodyFields(body)
  const parentId = fields.text('parentId', { min: 1, max: 64 }) ?? null
  const label = fields.text('label', { min: 1, max: MAX_LABEL_LENGTH })
  const probability = fields.number('probability', CHANCE)
  if (typeof label !== 'string') throw new InvalidInput('label is required for a new node')
  if (typeof probability !== 'number') {
    throw new InvalidInput('probability is required for a new node')
  }
  const importance = fields.number('importance', CHANCE) ?? undefined
  const tickers = textList(fields, 'tickers')
  return {
    parentId,
    label,
    probability,
    ...(importance !== undefined && { importance }),
    ...(tickers !== undefined && { tickers }),
  }
}

/** The edit of a body; a bare update counts as one. @throws InvalidInput */
export function treeEditIn(body: unknown): TreeEdit & { readonly ifVersion: number | null } {
  const fields = new BodyFields(body)
  const rootUpdates = fields.has('nodeId') ? [updateIn(body)] : []
  const updates = [...rootUpdates, ...listOf(fields, 'updates').map(updateIn)]
  const add = listOf(fields, 'add').map(additionIn)
  const remove = listOf(fields, 'remove').map((id) => {
    if (typeof id !== 'string') throw new InvalidInput('remove must be a list of node ids')
    return id
  })
  const count = updates.length + add.length + remove.length
  if (count === 0 || count > MAX_CHANGES) {
    throw new InvalidInput(
      `updates, add and remove must contain 1 to ${MAX_CHANGES} changes together`,
    )
  }
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER, isInteger: true as const }
  return { updates, add, remove, ifVersion: fields.number('ifVersion', bounds) ?? null }
}

/** Probabilities by node id of a what-if. @throws InvalidInput */
export function overridesIn(body: unknown): Map<string, number> {
  const value = new BodyFields(body).raw('overrides')
  const pairs: (readonly [unknown, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown) => {
        const fields = new BodyFields(item)
        return [fields.raw('nodeId'), fields.raw('probability', 'newProb')] as const
      })
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  const overrides = new Map<string, number>()
  for (const [nodeId, probability] of pairs) {
    if (typeof nodeId !== 'string') throw new InvalidInput('overrides must name a nodeId each')
    if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1)) {
      throw new InvalidInput(`overrides: probability of ${nodeId} must be a number from 0 to 1`)
    }
    if (overrides.has(nodeId)) throw new InvalidInput(`overrides name ${nodeId} twice`)
    overrides.set(nodeId, probability)
  }
  if (overrides.size === 0 || overrides.size > MAX_OVERRIDES) {
    throw new InvalidInput(`overrides must name 1 to ${MAX_OVERRIDES} nodes`)
  }
  return overrides
}

/** @throws InvalidInput */
export function signalIn(body: unknown, thesisId: string, now: Millis): StoredSignal {
  const fields = new BodyFields(body)
  const [sentType, sentContent] = [fields.raw('type'), fields.raw('content')]
  const isBlank = (value: unknown): boolean =>
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  if (isBlank(sentType) || isBlank(sentContent)) {
    throw new InvalidInput('type and content are required')
  }
  const type = fields.text('type', { min: 1, max: 32 })
  if (typeof type !== 'string' || !/^[a-z][a-z0-9_]*$/.test(type)) {
    throw new InvalidInput('type must be lower case letters, digits and _, beginning with a letter')
  }
  const content = fields.text('content', { min: 1, max: 10_000 })
  const url = fields.text('url', { max: 2_000 }) ?? null
  if (url !== null && !/^https?:\/\/\S+$/.test(url)) {
    throw new InvalidInput('url must be an http or https URL')
  }
  const occurredAt = fields.instant('occurredAt') ?? null
  if (occurredAt !== null && occurredAt > now) {
    throw new InvalidInput('occurredAt must not be in the future')
  }
  return {
    id: newId('sig', now),
    thesisId,
    type,
    source: fields.text('source', { min: 1, max: 64 }) ?? 'api',
    content: content ?? '',
    url,
    nodeId: fields.text('nodeId', { min: 1, max: 64 }) ?? null,
    at: occurredAt ?? now,
    createdAt: now,
  }
}

/** Runs an edit of a tree; a refused one is a fault of the request. */
export function orInvalid<T>(edit: () => T): T {
  try {
    return edit()
  } catch (error) {
    if (error instanceof TreeEditRefused) throw new InvalidInput(error.message)
    throw error
  }
}
