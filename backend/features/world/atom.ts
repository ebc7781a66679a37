import type { StoredSnapshot } from '../../computed/world/stored-snapshot.ts'
import { compactMarkdown } from '../../domain/world/markdown/snapshot-markdown.ts'
import type { Millis } from '../../domain/units.ts'
import { absoluteUrl, type Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'

export const ATOM = 'application/atom+xml'
const FEED_ID = 'tag:augury,2026:world'

/** Feed id of a snapshot: its time in seconds. */
export const snapshotId = (at: Millis): string => String(Math.floor(at / 1_000))

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
/** Characters not allowed in XML 1.0, including lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '\u{fffd}').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

function entryOf(snapshot: StoredSnapshot, urls: Urls): string {
  const { at, label, gauges, baseline, salient } = snapshot
  const head = {
    asOf: isoOf(at),
    regime: { label, signals: gauges },
    baselineReason: baseline.reason,
    salient,
  }
  const address = absoluteUrl(urls.baseUrl, '/api/agent/world', { asOf: isoOf(at) })
  return [
    '  <entry>',
    `    <id>${FEED_ID}/${snapshotId(at)}</id>`,
    `    <title>${escapeXml(label)}</title>`,
    `    <updated>${isoOf(at)}</updated>`,
    `    <link rel="alternate" href="${escapeXml(address)}"/>`,
    `    <content type="text">${escapeXml(compactMarkdown(head, ['World']))}</content>`,
    '  </entry>',
  ].join('\n')
}

/**
 * Builds an Atom feed (RFC 4287) of stored snapshots.
 * @param snapshots newest first
 * @param now time of a feed without entries
 */
export function atomFeed(snapshots: readonly StoredSnapshot[], now: Millis, urls: Urls): string {
  const [newest] = snapshots
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${FEED_ID}</id>`,
    '  <title>Augury world</title>',
    `  <updated>${isoOf(newest?.at ?? now)}</updated>`,
    '  <author><name>Augury</name></author>',
    `  <link rel="self" href="${escapeXml(absoluteUrl(urls.baseUrl, '/api/agent/world/feed'))}"/>`,
    ...snapshots.map((snapshot) => entryOf(snapshot, urls)),
    '</feed>',
    '',
  ].join('\n')
}
