import { generator } from "./evening.ts";

const ROWS = 4000;
const THROWS = 6000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);
/** From the station with the most journeys on. */
const STATIONS: readonly string[] = [
  "Harbour",
  "Old Town",
  "Museum",
  "University",
  "Market",
  "Park",
  "Airport",
];

/** Invented journeys with rented bicycles as CSV: a date, a string, a number with a fraction, an integer and a boolean. */
export function journeys(): string {
  const next = generator(0x2545f491);
  const part = (): number => next() / 2 ** 32;
  const lines = Array.from({ length: ROWS }, () => {
    // More people ride in summer.
    const day = Math.floor(365 * (0.5 + 0.5 * (part() + part() + part() - 1.5) * 0.66));
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
    const station = STATIONS[Math.floor(STATIONS.length * part() * part())]!;
    const minutes = (4 - 11 * Math.log(1 - part()) + 5 * part()).toFixed(1);
    const riders = part() < 0.7 ? 1 : 2 + Math.floor(3 * part() * part());
    // Some bicycles do not report it.
    const electric = part() < 0.03 ? "" : String(part() < 0.35);
    return [date, station, minutes, riders, electric].join(",");
  });
  return `date,station,minutes,riders,electric\n${lines.join("\n")}\n`;
}

/** The sums of two dice, thrown by a fixed generator. */
export function dice(): string {
  const next = generator(0x51f15e);
  return Array.from({ length: THROWS }, () => 2 + ((next() >>> 8) % 6) + ((next() >>> 8) % 6)).join(" ");
}
