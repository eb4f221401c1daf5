import { random } from "./sample.ts";

const HEADER =
  "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,passenger_count,trip_distance,RatecodeID,store_and_fwd_flag,PULocationID,pickup_zone,payment_type,fare_amount,mta_tax,tip_amount,tolls_amount,total_amount,congestion_surcharge,airport_fee,shared";
const ZONES = [
  "Midtown Center",
  "Upper East Side South",
  "JFK Airport",
  "Penn Station/Madison Sq West",
  "East Village",
  "LaGuardia Airport",
  "Times Sq/Theatre District",
  "Lincoln Square East",
  "Murray Hill",
  "Bay Terrace/Fort Totten",
  "",
];
const HOUR = 3_600_000;
/** The row with a date of another year, and the row with an impossible distance. */
const ODD = { date: 5, distance: 777 };

/** A CSV file with the columns of New York's taxi trips, and with faults like those of such files. */
export function taxiCsv(rows: number): Uint8Array {
  const next = random(11);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const pick = <T>(from: readonly T[], power: number): T => from[Math.floor(from.length * next() ** power)]!;
  const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  const lines = [HEADER];
  for (let row = 0; row < rows; row++) {
    const hour = Math.min(23.999, Math.max(0, next() < 0.6 ? 18 + 3 * normal() : 10 + 4 * normal()));
    const start = Date.UTC(2024, 0, 1) + (Math.floor(next() * 31) * 24 + hour) * HOUR;
    const miles = Math.exp(0.6 + 0.8 * normal());
    const minutes = miles * (3 + next() * 3) + 2;
    const roll = next();
    const isUnknown = roll > 0.95;
    const fare = roll < 0.004 ? -(3 + 2.5 * miles) : 3 + 2.5 * miles + 0.5 * minutes;
    const isCard = next() < 0.74;
    const tip = isCard ? fare * 0.2 * next() : 0;
    const tolls = next() < 0.08 ? 6.94 : 0;
    const known = (value: number | string): number | string => (isUnknown ? "" : value);
    const cells = [
      roll < 0.74 ? 2 : 1,
      time(row === ODD.date ? Date.UTC(2002, 11, 31, 23) : start),
      time(start + minutes * 60_000),
      known(Math.max(1, Math.round(1 + 4 * next() ** 7))),
      row === ODD.distance ? "184340.8" : miles.toFixed(2),
      known(miles > 9 ? 2 : 1),
      known(roll < 0.01 ? "Y" : "N"),
      1 + Math.floor(265 * next() ** 1.5),
      pick(ZONES, 1.4),
      isCard ? 1 : 2,
      fare.toFixed(2),
      0.5,
      tip.toFixed(2),
      tolls,
      (fare + tip + tolls + 3).toFixed(2),
      known(2.5),
      known(roll < 0.09 ? 1.75 : 0),
      roll < 0.3,
    ];
    lines.push(cells.join(","));
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}
