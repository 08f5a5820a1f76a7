//! The same as many.c, in Rust: `rustc many.rs -L <folder of the library> -l polymask`.

use std::ffi::{c_char, c_double, c_int, c_void, CStr};
use std::ptr::{null, null_mut};

const ROWS: usize = 18;
const COLS: usize = 40;
const FEATURES: usize = 2;

#[repr(C)]
struct Polygons {
    vertices: *const c_double,
    vertex_count: usize,
    ring_offsets: *const i64,
    ring_count: usize,
    polygon_offsets: *const i64,
    polygon_count: usize,
    feature_offsets: *const i64,
    feature_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
#[allow(dead_code)]
struct PixelBox {
    top: i64,
    bottom: i64,
    left: i64,
    right: i64,
}

#[rustfmt::skip]
extern "C" {
    fn polymask_fill_labels(
        polygons: *const Polygons, labels: *const i32, label_count: usize, rows: i64, cols: i64,
        out: *mut i32, out_size: usize, options: *const c_void, error: *mut c_char) -> c_int;
    fn polymask_pixel_counts(
        polygons: *const Polygons, rows: i64, cols: i64, counts: *mut i64, count_size: usize,
        options: *const c_void, error: *mut c_char) -> c_int;
    fn polymask_boxes(
        polygons: *const Polygons, rows: i64, cols: i64, boxes: *mut PixelBox, box_count: usize,
        options: *const c_void, error: *mut c_char) -> c_int;
    fn polymask_label_runs(
        polygons: *const Polygons, rows: i64, cols: i64, ends: *mut i64, end_count: usize,
        run_rows: *mut i32, starts: *mut i32, stops: *mut i32, run_count: *mut usize,
        options: *const c_void, error: *mut c_char) -> c_int;
    fn polymask_trace_labels(
        labels: *const i32, label_count: usize, rows: i64, cols: i64, outlines: *mut *mut c_void,
        options: *const c_void, error: *mut c_char) -> c_int;
    fn polymask_write_outlines(
        outlines: *const c_void, vertices: *mut c_double, vertex_count: *mut usize,
        ring_offsets: *mut i64, ring_count: *mut usize, polygon_offsets: *mut i64,
        polygon_count: *mut usize, labels: *mut i32, error: *mut c_char) -> c_int;
    fn polymask_free_outlines(outlines: *mut c_void);
    fn polymask_version() -> *const c_char;
}

/// Calls a function with room for its error, which becomes that of the result.
fn call(function: impl FnOnce(*mut c_char) -> c_int) -> Result<(), String> {
    let mut error = [0 as c_char; 256]; // POLYMASK_ERROR_SIZE
    match function(error.as_mut_ptr()) {
        0 => Ok(()),
        _ => Err(unsafe { CStr::from_ptr(error.as_ptr()) }.to_string_lossy().into_owned()),
    }
}

fn main() -> Result<(), String> {
    let vertices = [2.0, 1.0, 37.0, 3.0, 9.0, 17.0, 20.0, 9.0, 34.0, 9.0, 34.0, 16.0, 20.0, 16.0];
    let ring_offsets = [0, 3, 7];
    let polygons = Polygons {
        vertices: vertices.as_ptr(),
        vertex_count: vertices.len() / 2,
        ring_offsets: ring_offsets.as_ptr(),
        ring_count: FEATURES,
        polygon_offsets: null(),
        polygon_count: 0,
        feature_offsets: null(),
        feature_count: 0,
    };
    let (rows, cols) = (ROWS as i64, COLS as i64);

    let mut image = [0; ROWS * COLS];
    call(|error| unsafe {
        polymask_fill_labels(&polygons, null(), 0, rows, cols, image.as_mut_ptr(), image.len(),
                             null(), error)
    })?;
    for row in image.chunks(COLS) {
        println!("{}", row.iter().map(|&label| [".", "1", "2"][label as usize]).collect::<String>());
    }

    let (mut counts, mut ends) = ([0; FEATURES], [0; FEATURES]);
    let mut boxes = [PixelBox::default(); FEATURES];
    call(|error| unsafe {
        polymask_pixel_counts(&polygons, rows, cols, counts.as_mut_ptr(), FEATURES, null(), error)
    })?;
    call(|error| unsafe {
        polymask_boxes(&polygons, rows, cols, boxes.as_mut_ptr(), FEATURES, null(), error)
    })?;
    let mut size = 0;
    call(|error| unsafe {
        polymask_label_runs(&polygons, rows, cols, null_mut(), 0, null_mut(), null_mut(),
                            null_mut(), &mut size, null(), error)
    })?;
    let (mut run_rows, mut starts, mut stops) = (vec![0; size], vec![0; size], vec![0; size]);
    call(|error| unsafe {
        polymask_label_runs(&polygons, rows, cols, ends.as_mut_ptr(), FEATURES,
                            run_rows.as_mut_ptr(), starts.as_mut_ptr(), stops.as_mut_ptr(),
                            &mut size, null(), error)
    })?;
    for i in 0..FEATURES {
        let last = ends[i] as usize - 1;
        println!(
            "feature {}: {} pixels, rows {} to {}, last run: row {}, columns {} to {}",
            i + 1, counts[i], boxes[i].top, boxes[i].bottom - 1, run_rows[last], starts[last],
            stops[last] - 1
        );
    }

    let mut outlines = null_mut();
    call(|error| unsafe {
        polymask_trace_labels(image.as_ptr(), image.len(), rows, cols, &mut outlines, null(), error)
    })?;
    let (mut vertex_count, mut rings, mut regions) = (0, 0, 0);
    call(|error| unsafe {
        polymask_write_outlines(outlines, null_mut(), &mut vertex_count, null_mut(), &mut rings,
                                null_mut(), &mut regions, null_mut(), error)
    })?;
    let (mut corners, mut labels) = (vec![0.0; 2 * vertex_count], vec![0; regions]);
    let (mut ring_starts, mut polygon_starts) = (vec![0; rings + 1], vec![0; regions + 1]);
    call(|error| unsafe {
        polymask_write_outlines(outlines, corners.as_mut_ptr(), &mut vertex_count,
                                ring_starts.as_mut_ptr(), &mut rings, polygon_starts.as_mut_ptr(),
                                &mut regions, labels.as_mut_ptr(), error)
    })?;
    unsafe { polymask_free_outlines(outlines) };
    for i in 0..regions {
        let first = 2 * ring_starts[polygon_starts[i] as usize] as usize;
        println!("region {}: label {}, from ({}, {})", i + 1, labels[i], corners[first],
                 corners[first + 1]);
    }
    println!("polymask {}", unsafe { CStr::from_ptr(polymask_version()) }.to_str().unwrap());
    Ok(())
}
