import { playStrategy } from '../backtest/strategy-process.ts'

playStrategy()
