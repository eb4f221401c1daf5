// Everything that counts samples wider than a byte, for the workers' module and for the one that counts samples in
// place.
export { lanes_direct } from "../lib/rows/direct.as";
export { lanes_line } from "../lib/rows/line.as";
export { lanes_at } from "../lib/rows/place.as";
export { lanes_keys, lanes_search } from "../lib/rows/search.as";
export {
  count_keys_f32,
  count_keys_f64,
  count_keys_i32,
  count_keys_u32,
  count_line_f32,
  count_line_f64,
  count_line_i32,
  count_line_u32,
} from "./search.as";
export {
  count_direct_i16,
  count_direct_i32,
  count_direct_u16,
  count_direct_u32,
  count_table_16,
  count_table_32,
} from "./direct.as";
export {
  count_exact_f32,
  count_exact_f64,
  count_exact_i32,
  count_exact_u32,
  count_nearest_f32,
  count_nearest_f64,
} from "./line.as";
export { lanes_clear, lanes_finish, lanes_gather_16, lanes_gather_32, lanes_gather_64, lanes_rows } from "./rows.as";
