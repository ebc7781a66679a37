import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { systemClock } from '../../lib/clock.ts'

// A private service is started for each answered statement.

let cli: CommandLine
beforeAll(() => {
  cli = commandLine()
})
afterAll(() => cli.remove())

const sql = (args: readonly string[], input = '') =>
  cli.run(['sql', ...args], { clock: systemClock, input: () => Promise.resolve(input) })

describe('augury sql', () => {
  // [client.sql.answers]
  it('prints a table, CSV or JSON, from an argument, a file or stdin', async () => {
    const table = await sql(["select 1.5 as price, 'a=b' as name, null as gone"])
    expect([table.exit, table.out]).toEqual([0, 'price  name  gone\n  1.5  a=b   –\n'])

    const formulas = `'=1+1' as e, '+1' as p, '-1' as m, '@a' as at, chr(9) || 'b' as tab`
    writeFileSync(join(cli.home, 'study.sql'), `select ${formulas}, 'a,"b"' as text, -2 as n`)
    const csv = await sql(['@study.sql', '--format', 'csv'])
    expect([csv.exit, csv.out]).toEqual([
      0,
      `e,p,m,at,tab,text,n\r\n'=1+1,'+1,'-1,'@a,'\tb,"a,""b""",-2\n`,
    ])

    const json = await sql(['-', '--json', '--max-rows', '2'], 'from range(3)')
    expect(JSON.parse(json.out)).toEqual({
      columns: [{ name: 'range', type: 'BIGINT' }],
      rows: [[0], [1]],
      truncated: true,
    })
  })

  // [client.sql.refused]
  it('prints what is wrong with a statement, and where', async () => {
    const { exit, err } = await sql(['select * from nosuch'])
    expect(exit).toBe(2)
    expect(err).toMatch(/There is no view "nosuch".*\(line 1, column 15\)/)
  })

  // [client.sql.refused]
  it.each([
    [[''], /No SQL statement was given/],
    [['-'], /No SQL statement was given/],
    [['@nowhere.sql'], /nowhere\.sql cannot be read \(ENOENT\)/],
    [['select 1', '--format', 'xml'], /--format must be one of table, csv, json/],
    [['select 1', '--max-rows', 'all'], /--max-rows must be a whole number/],
  ])('%j ends with 2 before any service starts', async (args, message) => {
    const { exit, err, out } = await sql(args)
    expect([exit, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(err).not.toContain('private')
  })
})
