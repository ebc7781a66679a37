const MINUTE = 60_000
/** Names of both venues for times of opening, closing and expectation. */
const NAMES =
  'close_time|open_time|expected_expiration_time|latest_expiration_time|expiration_time|endDate|startDate|closedTime|gameStartTime|umaEndDate|end_date_iso'
const STATED_TIME = new RegExp(
  `"(${NAMES})":"(\\d{4}-\\d\\d-\\d\\d)([T ])(\\d\\d:\\d\\d:\\d\\d)(\\.\\d+)?(?:Z|\\+00)"`,
  'g',
)

/** The same response with its times in a zone `offset` minutes east of UTC. */
export function timesInZone(body: string, offset: number): string {
  return body.replace(
    STATED_TIME,
    (_, name: string, date: string, separator: string, time: string) => {
      const at = Date.parse(`${date}T${time}Z`) + offset * MINUTE
      const local = new Date(at).toISOString().slice(0, 19).replace('T', separator)
      return `"${name}":"${local}${zoneText(offset)}"`
    },
  )
}

function zoneText(offset: number): string {
  const minutes = Math.abs(offset)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
