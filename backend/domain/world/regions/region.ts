import {
  TOPIC_GROUPS,
  TOPIC_LABELS,
  TOPICS,
  type Topic,
  type TopicGroup,
} from '../../topics/topic-rules.ts'
import { titleSlug } from '../../topics/topics.ts'
import { foldText, wordsOf } from '../../text/tokens.ts'
import type { WorldMarket } from '../world-market.ts'

/** Former names of a focus. */
const FOCUS_ALIASES: ReadonlyMap<string, string> = new Map([
  ['geo', 'geopolitics'],
  ['policy', 'politics'],
  ['finance', 'economy'],
  ['elections', 'election-2026'],
])

export const REGION_LIMITS = { segments: 6, segmentLength: 64 } as const

const isTopic = (key: string): key is Topic => TOPICS.includes(key as Topic)
const isGroup = (key: string): key is TopicGroup => Object.hasOwn(TOPIC_GROUPS, key)

/** The filter of one path segment. */
export type RegionStep =
  | { readonly kind: 'topic'; readonly key: Topic }
  | { readonly kind: 'group'; readonly key: TopicGroup; readonly topics: readonly Topic[] }
  | { readonly kind: 'series'; readonly key: string }
  | { readonly kind: 'keyword'; readonly key: string; readonly words: readonly string[] }

/** A part of the world; the empty path is all of it. */
export interface Region {
  /** Decoded segments in lower case. */
  readonly path: readonly string[]
  readonly steps: readonly RegionStep[]
  readonly label: string
  /** Labels from the root on: "World", "Geopolitics", "Iran". */
  readonly trail: readonly string[]
  /** Segments that filter by words. */
  readonly keywords: readonly string[]
}

/** Name of a series in a path; null for a market without a series. */
export const seriesSlug = (market: Pick<WorldMarket, 'seriesId'>): string | null =>
  market.seriesId === null ? null : titleSlug(market.seriesId)

/**
 * The region of a path: topics and groups of the tree, series, otherwise keywords that must all
 * occur; each segment narrows the previous one.
 * @param series titles of the live series by `seriesSlug`
 * @returns null when the path has more or longer segments than allowed
 */
export function regionOf(
  segments: readonly string[],
  series: ReadonlyMap<string, string>,
): Region | null {
  if (segments.length > REGION_LIMITS.segments) return null
  if (segments.some((segment) => segment.length > REGION_LIMITS.segmentLength)) return null
  const path = segments.map((segment) => segment.toLowerCase())
  const steps = path.map((segment) => stepOf(segment, series))
  const labels = steps.map((step) => labelOf(step, series))
  const keywords = steps.flatMap((step) => (step.kind === 'keyword' ? [step.key] : []))
  return { path, steps, label: labels.at(-1) ?? 'World', trail: ['World', ...labels], keywords }
}

function stepOf(segment: string, series: ReadonlyMap<string, string>): RegionStep {
  if (isTopic(segment)) return { kind: 'topic', key: segment }
  if (isGroup(segment)) return { kind: 'group', key: segment, topics: TOPIC_GROUPS[segment] }
  if (series.has(segment)) return { kind: 'series', key: segment }
  return { kind: 'keyword', key: segment, words: wordsOf(segment.replaceAll('-', ' ')) }
}

function labelOf(step: RegionStep, series: ReadonlyMap<string, string>): string {
  if (step.kind === 'series') return series.get(step.key) ?? step.key
  return step.kind === 'keyword' ? step.key.replaceAll('-', ' ') : TOPIC_LABELS[step.key]
}

/** The label of a topic or group, otherwise the text itself. */
export const topicLabel = (key: string): string =>
  isTopic(key) || isGroup(key) ? TOPIC_LABELS[key] : key

/**
 * The path of a former `focus`: the first known word of a comma-separated list, otherwise its first
 * word as a keyword; empty for an empty one.
 */
export function focusPath(focus: string): readonly string[] {
  const focusTerms = focus
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
    .map((word) => FOCUS_ALIASES.get(word) ?? word)
  const topicName = focusTerms.find((word) => isTopic(word) || isGroup(word)) ?? focusTerms[0]
  return topicName === undefined ? [] : [topicName]
}

/** The fields that decide whether a market is in a region. */
export type PlacedMarket = Pick<
  WorldMarket,
  'topics' | 'seriesId' | 'title' | 'subtitle' | 'eventTitle'
>

/** Whether a market lies in a region. */
export function isInRegion(market: PlacedMarket, region: Region): boolean {
  return region.steps.every((step) => matches(market, step))
}

function matches(market: PlacedMarket, step: RegionStep): boolean {
  if (step.kind === 'topic') return market.topics.includes(step.key)
  if (step.kind === 'group') return step.topics.some((topic) => market.topics.includes(topic))
  if (step.kind === 'series') return seriesSlug(market) === step.key
  return step.words.length > 0 && containsTerms(market, step.words)
}

/** Only this many characters of a text are searched. */
const READ_LENGTH = 2_000

/** Folding is the most expensive part, and one market is tested against many regions. */
const foldedTexts = new WeakMap<PlacedMarket, string>()

function foldedTextOf(market: PlacedMarket): string {
  const existing = foldedTexts.get(market)
  if (existing !== undefined) return existing
  const texts = [market.title, market.subtitle ?? '', market.eventTitle ?? '', ...market.topics]
  const foldedText = foldText(texts.map((text) => text.slice(0, READ_LENGTH)).join('\n'))
  foldedTexts.set(market, foldedText)
  return foldedText
}

function containsTerms(market: PlacedMarket, terms: readonly string[]): boolean {
  const foldedText = foldedTextOf(market)
  // Most markets do not contain the letters, so only the others are split into words.
  if (!terms.every((word) => foldedText.includes(word))) return false
  const present = new Set(wordsOf(foldedText))
  return terms.every((word) => present.has(word))
}
